"""Calls that change keep their layout, comments and strings; f-strings stay what they were."""

from __future__ import annotations

import ast

import pytest

RULES = """
@rule(torch.f)
def f(a, b=0, c=0):
    return toy.f(a, axis=b)


@rule(torch.size)
def size(*n):
    return toy.size(n)


@rule(torch.text)
def text(a, mode="x"):
    return toy.text(a, mode)


@rule(torch.same)
def same_(a, b=1):
    return toy.same(a, k=b)


@rule(torch.add)
def add(a, b):
    return a + b


@rule(torch.either)
def either(a):
    return {"k": a}
"""


@pytest.fixture(scope="module")
def target(toy_target):
    return toy_target(RULES)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("torch.f(1, 2)", "toy.f(1, axis=2)"),
        ("torch.f( 1,2 )", "toy.f( 1,axis=2 )"),
        ("torch.f(1, b = 2)", "toy.f(1, axis = 2)"),
        ("torch . f (1, b=2)", "toy.f (1, axis=2)"),
        ("torch.f(\n    1,  # one\n    b=2,  # two\n)", "toy.f(\n    1,  # one\n    axis=2,  # two\n)"),
        ("torch.f(\n    1,\n    2\n)", "toy.f(\n    1,\n    axis=2\n)"),
        ("torch.f(1,\n        2)", "toy.f(1,\n        axis=2)"),
        (
            "torch.f(\n    # first\n    1,\n    # second\n    2,\n)",
            "toy.f(\n    # first\n    1,\n    # second\n    axis=2,\n)",
        ),
        ("torch.f((1), (2))", "toy.f((1), axis=(2))"),
        ("torch.f(1, 2,)", "toy.f(1, axis=2,)"),
        ("torch.f(1, c=3)", "toy.f(1, axis=0)"),
        ("torch.f(\n    1,\n    c=3,  # gone\n)", "toy.f(\n    1,\n    axis=0,  # gone\n)"),
        ("torch.size(1, 2)", "toy.size([1, 2])"),
        ("torch.size(\n    1,  # one\n    2,  # two\n)", None),
        ("torch.f([\n    1,\n    2,\n], 3)", "toy.f([\n    1,\n    2,\n], axis=3)"),
        ("torch.f(torch.f(1, 2), torch.f(3, 4))", "toy.f(toy.f(1, axis=2), axis=toy.f(3, axis=4))"),
        ("torch.f(\n    torch.f(1, 2),  # in\n    3,\n)", "toy.f(\n    toy.f(1, axis=2),  # in\n    axis=3,\n)"),
        ("torch.add(\n    y,\n    2)", "y + 2"),
        ("torch.add(\n    y\n    .real, 2)", "(y\n    .real + 2)"),
        ("torch.add(1 +\n    2, 3)", "(1 +\n    2) + 3"),
        ("torch.text(1)", 'toy.text(1, "x")'),
    ],
)
def test_layout(source, expected, target, converted):
    out = converted(f"import torch\nz = {source}\n", target)
    if expected is not None:
        assert f"\n{out}".endswith(f"\nz = {expected}\n")
    for comment in ("# one", "# two", "# in", "# gone", "# first", "# second"):
        assert out.count(comment) == source.count(comment)


def test_the_files_own_quotes(target, converted):
    assert converted("import torch\nz = 'a', 'b', torch.text(1)\n", target).endswith("toy.text(1, 'x')\n")


FSTRINGS = [
    ('f"{torch.same(1)}"', 'f"{toy.same(1, k=1)}"'),
    ('f"{torch.same(y):>4} {torch.same(1)!r}"', 'f"{toy.same(y, k=1):>4} {toy.same(1, k=1)!r}"'),
    ('f"{y:{torch.same(4)}}"', 'f"{y:{toy.same(4, k=1)}}"'),
    ("f\"{torch.text('a')}\"", "f\"{toy.text('a', 'x')}\""),
    ("f'{torch.text(\"a\")}'", 'f\'{toy.text("a", "x")}\''),
    ('f"{torch.text(1)}"', "f\"{toy.text(1, 'x')}\""),
    ('f"it\'s {torch.text(1)}"', 'f"it\'s {toy_helpers.text(1)}"'),
    ('f"""{torch.text("a")} {torch.text(\'b\')}"""', None),
    ('f"{torch.either(1)}"', "f\"{({'k': 1})}\""),
    ('f"{torch.add(y, 2)}"', 'f"{y + 2}"'),
    ('f"é {torch.same(1)} é {torch.same(2)}"', 'f"é {toy.same(1, k=1)} é {toy.same(2, k=1)}"'),
    ("\"a\" f\"{torch.same(1)}\" 'b' f'{torch.same(2)}'", "\"a\" f\"{toy.same(1, k=1)}\" 'b' f'{toy.same(2, k=1)}'"),
    ('(f"{torch.same(1)}"\n   f"{torch.same(2)}")', '(f"{toy.same(1, k=1)}"\n   f"{toy.same(2, k=1)}")'),
    ('f"""\n{torch.same(\n    1)}\n{y}"""', 'f"""\n{toy.same(1, k=1)}\n{y}"""'),
    ('rf"\\d{torch.same(1)}"', 'rf"\\d{toy.same(1, k=1)}"'),
    ('f"{{}} {torch.same(1)} {{x}}"', 'f"{{}} {toy.same(1, k=1)} {{x}}"'),
    ("f\"{torch.same(f'{torch.same(1)}')}\"", "f\"{toy.same(f'{toy.same(1, k=1)}', k=1)}\""),
    ('f"{(lambda: torch.same(1))()}"', 'f"{(lambda: toy.same(1, k=1))()}"'),
    ('f"{torch.same(1)=}"', None),
    ('f"{torch.same(1) + 1!s:>{torch.same(9)}}"', 'f"{toy.same(1, k=1) + 1!s:>{toy.same(9, k=1)}}"'),
    ('f"{y}" + str(torch.same(1))', 'f"{y}" + str(toy.same(1, k=1))'),
]


@pytest.mark.parametrize(("source", "expected"), FSTRINGS)
def test_fstrings(source, expected, target, conversion, execute):
    done = conversion(f"import torch\ny = 1\nz = {source}\n", target)
    out = next(iter(done.files.values())).decode()
    if expected is not None:
        assert out.endswith(f"z = {expected}\n")
    ast.parse(out, feature_version=(3, 10))
    meaning = {"same": lambda a, k: f"{a}{k}" if isinstance(a, str) else a + k, "text": lambda a, m: f"<{a}{m}>"}
    names = {
        "same": lambda a, b=1: meaning["same"](a, b),
        "text": lambda a, mode="x": meaning["text"](a, mode),
        "add": lambda a, b: a + b,
        "either": lambda a: {"k": a},
    }
    expected_value = eval(source, {"torch": type("torch", (), {k: staticmethod(v) for k, v in names.items()}), "y": 1})  # noqa: S307
    got = execute(done, **meaning)["z"]
    assert got == expected_value


def test_comments_before_a_method_that_becomes_a_function(toy_target, check_converted):
    rules = (
        "@rule(torch.Tensor.view)\ndef view(self, n):\n    if n:\n        return toy.a(self)\n    return toy.b(self)\n"
    )
    check_converted(
        "import torch\ndef f(x: torch.Tensor):\n    y = (x\n        # to a row\n        .view(k))\n",
        "import toy\nimport toy_helpers\ndef f(x: toy.Tensor):\n    # to a row\n    y = (toy_helpers.view(x, k))\n",
        toy_target(rules + 'alias(torch.Tensor, "toy.Tensor")\n'),
        helpers=("view",),
    )
