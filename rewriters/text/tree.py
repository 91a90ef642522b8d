"""Walking syntax trees. Contexts and operators are not walked: they hold nothing, and ``ast.walk`` spends most of its
time on them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

# Fields in which no other node stands, or an operator.
LEAVES = {
    "ctx", "op", "ops", "id", "attr", "kind", "type_comment", "is_async", "simple", "level", "module", "conversion",
    "rest",
}  # fmt: skip
# Fields of lists in which something else may stand between the nodes: None, or texts.
MIXED = {"kw_defaults", "keys", "kwd_attrs"}


class Fields(dict[type, tuple[str, ...]]):
    """The fields of a class of nodes in which other nodes stand."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        leaf = kind in (ast.Constant, ast.alias, ast.Pass, ast.Global, ast.Nonlocal)
        found = self[kind] = tuple(name for name in kind._fields if name not in LEAVES and not leaf)
        return found


FIELDS = Fields()


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below, in the order of the source."""
    found: list[ast.AST] = []
    held = node.__dict__
    for name in FIELDS[node.__class__]:
        value: Any = held.get(name)
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
        if FIELDS[node.__class__]:
            found += children(node)
    return found


def called_name(node: ast.Call) -> str:
    """The last name of what is called, "" where it has none."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


class Nodes:
    """All nodes of a file's tree, by class; what each stands in is found on the same walk.

    parents: of each node but the tree itself.
    """

    def __init__(self, tree: ast.AST) -> None:
        self.by_class: dict[type, list[Any]] = {}
        self.parents: dict[ast.AST, ast.AST] = {}
        by_class, parents = self.by_class, self.parents
        waiting = [tree]
        for node in waiting:  # which grows
            kind = node.__class__
            if kind in by_class:
                by_class[kind].append(node)
            else:
                by_class[kind] = [node]
            if FIELDS[kind]:
                below = children(node)
                for child in below:
                    parents[child] = node
                waiting += below

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


def parents_in(files: Iterable[Nodes]) -> Mapping[ast.AST, ast.AST]:
    """Of each node in several files: what it stands in."""
    all_files = list(files)
    if len(all_files) == 1:
        return all_files[0].parents
    return {node: parent for nodes in all_files for node, parent in nodes.parents.items()}
