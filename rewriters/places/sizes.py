"""Arguments that are sizes: what is made of them is memory of its own."""

from __future__ import annotations

import ast

from rewriters.infer.values import NUMERIC, OPAQUE, SIZE, Bottom, Plain, Unknown
from rewriters.text.tree import walk

# Kinds of values that are numbers, or several in a list.
NUMBERS = {*NUMERIC, "figures"}
# Take numbers of elements, one by one or as a shape, and no tensors.
SIZED = {f"torch.{name}" for name in ("empty", "zeros", "ones", "rand", "randn")}


def is_of_sizes(call: ast.Call) -> bool:
    """``torch.FloatTensor(n, n)``: memory of its own, whatever lies in it."""
    if any(isinstance(part, ast.Starred) for part in call.args):
        return False
    return len(call.args) != 1 or is_size(call.args[0])


def is_size(node: ast.expr) -> bool:
    """Whether it is a shape or a number; ``x.shape`` of what is not known too, and what a size is made of elsewhere."""
    value = getattr(node, "v", None)
    if value == SIZE or (isinstance(value, Plain) and value.kind in NUMBERS):
        return True
    if value != OPAQUE and not isinstance(value, (Unknown, Bottom)):
        return False
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "size"
    if isinstance(node, ast.Name):
        return counts_elements(node)
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def counts_elements(name: ast.Name) -> bool:
    """Whether the function around gives the name to what takes numbers of elements alone: ``torch.zeros(n)``."""
    around: ast.AST | None = name
    while around is not None and not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        around = getattr(around, "parent", None)
    calls = (part for part in walk(around) if isinstance(part, ast.Call)) if around is not None else ()
    return any(
        isinstance(part, ast.Name) and part.id == name.id
        for call in calls
        if getattr(getattr(call.func, "v", None), "name", "") in SIZED
        for part in call.args
    )
