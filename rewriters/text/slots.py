"""Syntax trees of less than half the size: nodes that keep what they hold in slots, not in a dict each.

A slotted node is of a class derived from its class in ``ast``, of the same name; what is looked up by a node's class is
looked up in a ``ByClass``. Copies of one are ordinary nodes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
Made = Callable[[Any, list[int]], Any]

LINES = {"lineno", "end_lineno"}
# What is found out about a node: what it stands in; its value by inference.
FOUND = ("parent", "v")
# These hold nothing and are the same objects wherever they stand.
SHARED = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
# Fields in which no node stands, or such a one.
LEAVES = {
    "ctx", "op", "ops", "id", "attr", "kind", "type_comment", "is_async", "simple", "level", "module", "conversion",
    "rest",
}  # fmt: skip
WITHOUT_NODES = (ast.Constant, ast.alias, ast.Pass, ast.Global, ast.Nonlocal)


class ByClass(dict[type, T]):
    """By classes of ``ast``; a slotted node's is looked up by the one that it is derived from."""

    def __missing__(self, kind: type) -> T:
        found = self[kind] = self.get(getattr(kind, "of_class", kind), self.otherwise)
        return found

    def __init__(self, table: dict[type, T], otherwise: T) -> None:
        super().__init__(table)
        self.otherwise = otherwise


def class_of(node: ast.AST) -> type[ast.AST]:
    """The node's class in ``ast``."""
    found: type[ast.AST] = getattr(node, "of_class", node.__class__)
    return found


def holds_nodes(kind: type[ast.AST], name: str) -> bool:
    """Whether other nodes may stand in that field."""
    return name not in LEAVES and not issubclass(kind, WITHOUT_NODES)


def slotted(tree: ast.Module, lines: int) -> ast.Module:
    """The tree with slotted nodes; lines: how many the text has. The numbers of lines are kept once for all nodes."""
    made: ast.Module = MAKERS[ast.Module](tree, list(range(lines + 2)))
    return made


def reduced(node: ast.AST) -> tuple[type, tuple[()], dict[str, Any]]:
    """For ``copy``: an ordinary node that holds the same, with its value by inference."""
    kind = class_of(node)
    names = (*kind._fields, *kind._attributes, "v")
    return kind, (), {name: getattr(node, name) for name in names if hasattr(node, name)} | vars(node)


class Makers(dict[type, Made]):
    """By class of ``ast``: what makes a slotted node of an ordinary one, and of all that stand in it."""

    def __missing__(self, kind: type[ast.AST]) -> Made:
        self[kind] = made = same if issubclass(kind, SHARED) else written(kind)
        return made


def same(node: Any, lines: list[int]) -> Any:
    return node


def written(kind: type[ast.AST]) -> Made:
    """What makes the nodes of one class, its fields written out: a package has millions of nodes."""
    body = {"__slots__": (*kind._fields, *kind._attributes, *FOUND), "__reduce__": reduced, "of_class": kind}
    own = type(kind.__name__, (kind,), body)
    rows = ["def make(node, lines):", " held = node.__dict__", " made = new(own)"]
    for name in kind._fields:
        if not holds_nodes(kind, name):
            rows.append(f" made.{name} = held[{name!r}]")
            continue
        rows += [
            f" value = held[{name!r}]",
            " of = value.__class__",
            " if of is list: value = of_list(value, lines)",
            " elif of not in PLAIN: value = MAKERS[of](value, lines)",
            f" made.{name} = value",
        ]
    for name in kind._attributes:
        rows.append(f" made.{name} = " + (f"lines[held[{name!r}]]" if name in LINES else f"held[{name!r}]"))
    names: dict[str, Any] = {"new": own.__new__, "own": own, "PLAIN": PLAIN, "MAKERS": MAKERS, "of_list": of_list}
    exec("\n".join([*rows, " return made"]), names)  # noqa: S102  # of the names of fields alone
    made: Made = names["make"]
    return made


def of_list(values: list[Any], lines: list[int]) -> list[Any]:
    return [value if value.__class__ in PLAIN else MAKERS[value.__class__](value, lines) for value in values]


PLAIN = {str, int, bool, type(None)}
MAKERS = Makers()
