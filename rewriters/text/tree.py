"""Walking syntax trees. Contexts and operators are not walked: they hold nothing, and ``ast.walk`` spends most of its
time on them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from rewriters.text.slots import Empty, OfClass, holds_nodes

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Fields of lists in which something else may stand between the nodes: None, or texts.
MIXED = {"kw_defaults", "keys", "kwd_attrs"}
# What often stands in a field in place of a node.
NO_NODES = {type(None), str, Empty}


class Fields(dict[type, tuple[str, ...]]):
    """The fields of a class of nodes in which other nodes stand."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        found = self[kind] = tuple(name for name in kind._fields if holds_nodes(kind, name))
        return found


FIELDS = Fields()


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below, in the order of the source."""
    found: list[ast.AST] = []
    for name in FIELDS[node.__class__]:
        value: Any = getattr(node, name, None)
        if value is None:
            continue
        if value.__class__ is list:
            if name in MIXED:
                found += [item for item in value if isinstance(item, ast.AST)]
            else:
                found += value
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(root: ast.AST) -> list[ast.AST]:
    """The node and all below it, breadth first."""
    found = [root]
    for node in found:  # which grows
        for name in FIELDS[node.__class__]:  # as in ``children``, without a list for each node
            value: Any = getattr(node, name, None)
            kind = value.__class__
            if kind is list and name not in MIXED:
                found += value
            elif kind is list:
                found += [item for item in value if isinstance(item, ast.AST)]
            elif kind not in NO_NODES and isinstance(value, ast.AST):
                found.append(value)
    return found


def text_of(node: ast.AST | None) -> str | None:
    """The text that is written out there; None of anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def last_name(node: ast.expr) -> str:
    """A variable's or an attribute's name, "" for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def called_name(node: ast.Call) -> str:
    """The last name of what is called, "" where it has none."""
    return last_name(node.func)


def is_true(node: ast.expr | None) -> bool:
    """Whether it is the literal True."""
    return isinstance(node, ast.Constant) and node.value is True


def is_in_place(method: str) -> bool:
    """Whether methods and functions of torch's by that name change a tensor: ``add_``."""
    return method.endswith("_") and not method.endswith("__")


def given_to(store: ast.Name | ast.Attribute, made: ast.Assign) -> ast.expr | None:
    """What an assignment gives a name: also ``a, b = state["a"], state["b"]``."""
    target = made.targets[0]
    if len(made.targets) > 1:
        return None
    if target is store:
        return made.value
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(made.value, (ast.Tuple, ast.List)):
        pairs = list(zip(target.elts, made.value.elts, strict=False))
        if len(target.elts) == len(made.value.elts):
            return next((value for one, value in pairs if one is store), None)
    return None


class Parents:
    """Of each node of a file but its tree itself: what it stands in."""

    def __getitem__(self, node: ast.AST) -> ast.AST:
        found: ast.AST = node.parent  # type: ignore[attr-defined]
        return found

    def __contains__(self, node: ast.AST) -> bool:
        return hasattr(node, "parent")

    def get(self, node: ast.AST | None) -> ast.AST | None:
        return getattr(node, "parent", None)


class Nodes:
    """All slotted nodes of a file's tree, by class, as ``slotted`` finds them.

    parents: of each node but the tree itself.
    """

    def __init__(self, by_class: OfClass) -> None:
        self.by_class = by_class
        self.parents = Parents()

    def around(self, node: ast.AST, *classes: type[ast.AST]) -> ast.AST | None:
        """The innermost node of these classes that it stands in."""
        found = self.parents.get(node)
        while found is not None and not isinstance(found, classes):
            found = self.parents.get(found)
        return found

    def all_around(self, node: ast.AST, *classes: type[ast.AST]) -> Iterator[ast.AST]:
        """The nodes of these classes that it stands in, the innermost first."""
        found = self.parents.get(node)
        while found is not None:
            if isinstance(found, classes):
                yield found
            found = self.parents.get(found)

    def of(self, *classes: type[ast.AST]) -> list[Any]:
        """Those of these very classes, one class after the other."""
        found: list[Any] = []
        for kind in classes:
            found += self.by_class.get(kind, ())
        return found


def is_still(node: ast.expr) -> bool:
    """Whether it may be evaluated later as well."""
    return all(isinstance(part, (ast.Constant, ast.Name, ast.Tuple, ast.Dict, ast.expr_context)) for part in walk(node))


def is_path(node: ast.expr) -> bool:
    """``a.b.c``, ``a.b[k]``: when it is evaluated does not matter."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Subscript) and not is_still(node.slice):
            return False
        node = node.value
    return isinstance(node, ast.Name)
