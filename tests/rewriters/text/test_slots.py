"""Slotted nodes are nodes: they hold the same, and their copies are ordinary ones."""

from __future__ import annotations

import ast
import copy
import sys
from pathlib import Path
from typing import Any

import pytest

import rewriters.infer
from rewriters.text.slots import ByClass, class_of, slotted
from rewriters.text.tree import Nodes, walk

FILES = sorted(Path(rewriters.infer.__file__).parent.glob("*.py"))
MATCH = """
match x:
    case {'a': None, **rest} | [1, *_] | C(1, b=True) if rest:
        global y
        y = b''
"""
SEVERAL_LINES = "x = y.z * 2\n'''a\nb'''\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_tree(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    made, found = slotted(tree, text.count("\n"))
    assert [class_of(node) for node in walk(made)] == [type(node) for node in walk(tree)]
    assert {kind: [node for node in walk(made) if class_of(node) is kind] for kind in found} == found
    assert ast.dump(copy.deepcopy(made), include_attributes=True) == ast.dump(tree, include_attributes=True)
    assert ast.unparse(made) == ast.unparse(tree)
    assert compile(made, path.name, "exec").co_code == compile(tree, path.name, "exec").co_code


def test_every_kind_of_pattern() -> None:
    tree = ast.parse(MATCH)
    assert ast.dump(copy.deepcopy(slotted(tree, 6)[0]), include_attributes=True) == ast.dump(
        tree, include_attributes=True
    )


def test_a_copy_is_an_ordinary_node() -> None:
    name = slotted(ast.parse("a.b"), 1)[0].body[0].value  # type: ignore[attr-defined]
    name.v = "known"
    made = copy.copy(name)
    assert type(made) is ast.Attribute
    assert type(name) is not ast.Attribute
    assert (made.attr, made.lineno, made.v, class_of(name)) == ("b", 1, "known", ast.Attribute)
    assert ast.dump(copy.deepcopy(name)) == ast.dump(name)


def test_what_the_class_tells_takes_no_room_and_may_be_changed() -> None:
    """Contexts, operators, and the last line of a text of several lines."""
    _, found = slotted(ast.parse(SEVERAL_LINES), 3)
    stored, read = found[ast.Name]
    assert (type(stored.ctx), type(read.ctx), type(found[ast.BinOp][0].op)) == (ast.Store, ast.Load, ast.Mult)
    assert sorted(one.end_lineno for one in found[ast.Constant]) == [1, 3]
    assert not {"ctx", "op"} & {name for node in (stored, read) for name in type(node).__slots__}
    before, stored.ctx = stored.ctx, ast.Load()
    assert (type(stored.ctx), type(read.ctx)) == (ast.Load, ast.Load)
    stored.ctx = before
    assert type(stored.ctx) is ast.Store


def test_a_list_in_which_nothing_stands_is_shared_and_stays_so() -> None:
    first, second = slotted(ast.parse("f()\ng()"), 2)[0].body
    call: Any = first.value  # type: ignore[attr-defined]
    assert call.args is call.keywords is second.value.args  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="copy the node"):
        call.args.append(call)
    with pytest.raises(TypeError, match="copy the node"):
        call.args += [call]
    made = copy.deepcopy(call)
    made.args.append(ast.Constant(1))
    assert (ast.unparse(made), ast.unparse(call), len(made.keywords)) == ("f(1)", "f()", 0)


def test_a_tree_as_deep_as_the_parser_takes() -> None:
    tree = ast.parse("a = " + "+".join("x" * 900))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(150)
    try:
        _, found = slotted(tree, 1)
    finally:
        sys.setrecursionlimit(limit)
    assert len(found[ast.BinOp]) == 899


def test_what_is_found_by_class_is_found_by_a_slotted_one() -> None:
    tree, found = slotted(ast.parse("a + 1"), 1)
    table = ByClass({ast.Name: "name", ast.BinOp: "sum"}, "other")
    nodes = Nodes(found)
    (both,) = nodes.of(ast.BinOp)
    assert [table[type(node)] for node in (both, both.left, both.right)] == ["sum", "name", "other"]
    assert nodes.parents[both.left] is both
    assert nodes.parents.get(tree) is None
    assert tree not in nodes.parents


def test_they_take_less_than_half_the_memory() -> None:
    (one,) = ast.parse("name").body
    (other,) = slotted(ast.parse("name"), 1)[0].body
    plain = sys.getsizeof(one.value) + sys.getsizeof(one.value.__dict__)  # type: ignore[attr-defined]
    assert sys.getsizeof(other.value) * 2 < plain  # type: ignore[attr-defined]


def test_a_name_has_one_slot_for_its_line() -> None:
    name: Any = slotted(ast.parse("\n\na"), 3)[0].body[0].value  # type: ignore[attr-defined]
    assert (name.lineno, name.end_lineno) == (3, 3)
    name.end_lineno = 1
    assert name.lineno == 1
    assert copy.copy(name).end_lineno == 1
    assert name.__sizeof__() < slotted(ast.parse("a.b"), 1)[0].body[0].value.__sizeof__()  # type: ignore[attr-defined]


def test_what_nearly_no_node_has_is_kept_where_one_has_it() -> None:
    plain, marked = (one.value for one in slotted(ast.parse("'a'\nu'a'"), 2)[0].body)  # type: ignore[attr-defined]
    assert (plain.kind, marked.kind, copy.copy(marked).kind) == (None, "u", "u")
    assert "kind" not in type(plain).__slots__
