from __future__ import annotations

import types

import pytest

from checks.worker.entry import arguments, parse


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("models.resnet", "names no callable"),
        ("models.resnet:", "names no callable"),
        ("models/resnet.py:resnet50", "not a dotted module name"),
        ("m:f(", "not an expression"),
        ("m:3", "not the name of a callable"),
        ("m:f(**options)", "not taken"),
        ("m:f(*options)", "Starred is not a literal"),
        ("m:f(1 + 2)", "BinOp is not a literal"),
        ("m:f(lambda: 1)", "Lambda is not a literal"),
        ("m:f([x for x in y])", "ListComp is not a literal"),
    ],
)
def test_wrong_entries_are_named(text, complaint):
    with pytest.raises(ValueError, match=complaint.replace("*", r"\*")) as caught:
        parse(text)
    assert text.partition(":")[2] in str(caught.value)


def test_arguments():
    module = types.SimpleNamespace(Config=dict, nn=types.SimpleNamespace(ReLU="relu"))
    entry = parse("pkg.m:Class.make(1, -2.5, [True, None], ('a',), {'k': 1}, act=nn.ReLU, config=Config(n=2))")
    assert (entry.module, entry.attribute) == ("pkg.m", "Class.make")
    args, keywords = arguments(module, entry.call)
    assert args == [1, -2.5, [True, None], ("a",), {"k": 1}]
    assert keywords == {"act": "relu", "config": {"n": 2}}


def test_without_a_call():
    assert parse("models.resnet:resnet50").call is None


def test_what_no_module_needs_to_import():
    module = types.SimpleNamespace(range="of the module's own")
    entry = parse("m:f(text=dict(width=2, sizes=list((1, 2))), far=float('inf'), own=range, of=Namespace(lr=0.1))")
    keywords = arguments(module, entry.call)[1]
    assert keywords["text"] == {"width": 2, "sizes": [1, 2]}
    assert (keywords["far"], keywords["own"], keywords["of"].lr) == (float("inf"), "of the module's own", 0.1)
    with pytest.raises(AttributeError, match="open"):
        arguments(module, parse("m:f(open('x'))").call)
