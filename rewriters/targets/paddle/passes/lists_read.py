"""Lists of an array, or read from a text: they may be lists of lists, to torch several parts of an index."""

from __future__ import annotations

import ast

from rewriters.infer.values import OBJECT, FunctionOf, ModuleInfo, Plain
from rewriters.places.index_parts import is_open, part_of
from rewriters.text.tree import walk

# What gives lists, or numbers.
READING = {"tolist", "loads", "load", "literal_eval"}


def lists_read(module: ModuleInfo) -> set[str]:
    """Names that hold lists made of an array or read from a text, which may be lists of lists, or parts of such."""
    found: set[str] = set()
    bound = [(node.value, target) for node in module.nodes.of(ast.Assign) for target in node.targets]
    bound += [(node.iter, node.target) for node in module.nodes.of(ast.For, ast.comprehension)]
    for value, target in bound:
        if reads_list(value) or root_of(value) in found or gives_list(value):
            found |= {part.id for part in walk(target) if isinstance(part, ast.Name)}
    return found


def root_of(node: ast.expr) -> str:
    """The name of which something is a part: ``places`` of ``places["a"][0]``, ``places.get("a")``."""
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


def gives_list(node: ast.expr) -> bool:
    """Whether it is a call of a function of the project that gives such a list."""
    called = getattr(node.func, "v", None) if isinstance(node, ast.Call) else None
    if not isinstance(called, FunctionOf) or called.info.returns not in (OBJECT, Plain("list")):
        return False
    body = called.info.node
    return any(isinstance(one, ast.Return) and one.value is not None and reads_list(one.value) for one in walk(body))


def may_be_lists(index: ast.expr, names: set[str]) -> bool:
    """Whether an index of which nothing else is known is such a list."""
    value = part_of(index)
    if isinstance(value, Plain) and value.kind.rpartition(".")[2] in READING:
        return True
    if value == Plain("list"):
        return not isinstance(index, (ast.List, ast.ListComp))  # of anything: what ``tolist()`` gives of several axes
    return (is_open(value) or value == OBJECT) and (reads_list(index) or root_of(index) in names)


def reads_list(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in READING:
        return False
    return getattr(getattr(node.func.value, "v", None), "ndim", None) != 1
