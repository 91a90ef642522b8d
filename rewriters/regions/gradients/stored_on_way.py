"""What modules store in themselves while they are called, and a loss is computed from: ``layer.kl``, ``style.loss``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from weakref import WeakKeyDictionary

from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import ClassInfo, Unknown
from rewriters.regions.gradients.computing import computes, is_without
from rewriters.regions.gradients.events import NESTED
from rewriters.regions.tracing import classes_in, is_module, traced, value_of
from rewriters.text.tree import FUNCTIONS, Nodes, walk

FILLING = {"append", "extend", "insert", "add", "update", "setdefault"}
# They are asked for at each statement in front of a loss.
_by_file: WeakKeyDictionary[Nodes, frozenset[str]] = WeakKeyDictionary()


def read_of_calls(parts: Iterable[ast.AST], nodes: Nodes) -> bool:
    """Whether code reads an attribute that a module has since it was called."""
    chains = (node for part in parts for node in walk(part) if isinstance(node, ast.Attribute))
    return any(isinstance(node.ctx, ast.Load) and is_stored_on_way(node, nodes) for node in chains)


def is_stored_on_way(node: ast.Attribute, nodes: Nodes) -> bool:
    owner = value_of(node.value)
    classes = classes_in(owner)
    if is_module(owner) and classes:
        return any(node.attr in stored_by(info) for info in classes)
    return (owner is None or isinstance(owner, Unknown) or is_module(owner)) and node.attr in stored_in(nodes)


@lru_cache(maxsize=32)
def stored_by(info: ClassInfo) -> frozenset[str]:
    """The attributes that a class's modules store when they are called."""
    return frozenset(name for one in traced(info) for name in stored_from(one.node))


def stored_in(nodes: Nodes) -> frozenset[str]:
    """Those that the forwards of a file store."""
    if nodes not in _by_file:
        forwards = (part for part in nodes.of(ast.FunctionDef) if part.name == "forward")
        _by_file[nodes] = frozenset(name for one in forwards for name in stored_from(one))
    return _by_file[nodes]


def stored_from(function: ast.AST) -> Iterator[str]:
    """The attributes that a method stores in its own object, or puts into what it has there: ``self.losses.append``."""
    given = all_arguments(function.args) if isinstance(function, FUNCTIONS) else []
    for node in walk(function) if given else ():
        part: ast.AST = node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FILLING:
            part = node.func.value
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            part = node.value
        elif not isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        if isinstance(part, ast.Attribute) and path_of(part.value) == given[0].arg:
            yield part.attr


def calls_modules(statement: ast.stmt) -> bool:
    """Whether a statement runs a forward that gradients pass through."""
    return not isinstance(statement, NESTED) and not is_without(statement) and computes(statement)
