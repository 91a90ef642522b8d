"""Whether a value is part of another tensor, by what a file says of it."""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo, Tensor
from rewriters.places.by_text import handed
from rewriters.places.calls import PARTS as PIECES
from rewriters.text.tree import called_name, walk

# Parts that begin where the whole begins.
TURNING = {
    "t", "T", "mT", "H", "mH", "adjoint", "transpose", "swapaxes", "swapdims", "permute", "movedim", "moveaxis",
    "expand", "expand_as", "broadcast_to",
}  # fmt: skip
PARTS = PIECES | TURNING | {"narrow", "select", "diagonal", "unfold", "as_strided"}
LIKE = {
    "view", "view_as", "reshape", "reshape_as", "flatten", "unflatten", "ravel", "squeeze", "unsqueeze", "detach",
    "data",
}  # fmt: skip

# What gives the tensor itself, where it is so already.
PASSING = {
    "cpu", "cuda", "to", "type", "type_as", "float", "double", "half", "long", "int", "bool", "contiguous",
    "requires_grad_", "detach",
}  # fmt: skip


def is_part_of(module: ModuleInfo, node: ast.expr, depth: int) -> bool:
    """Whether a value is part of another tensor."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        kinds = [getattr(part, "v", None) for part in parts]
        whole = getattr(node.value, "v", None)
        if isinstance(whole, Tensor):
            return not any(isinstance(kind, Tensor) for kind in kinds)
        return isinstance(node.value, ast.Call) and is_part_of(module, node.value, depth)
    if isinstance(node, ast.Attribute):
        return node.attr in TURNING or (node.attr in LIKE and is_part_of(module, node.value, depth))
    if isinstance(node, ast.Call):
        name = called_name(node)
        inner = node.func.value if isinstance(node.func, ast.Attribute) else None
        return name in PARTS or (name in LIKE | PASSING and inner is not None and is_part_of(module, inner, depth))
    if isinstance(node, ast.Name) and depth < 3:
        bound = [(target, one.value) for one in module.nodes.of(ast.Assign) for target in one.targets]
        bound += [(one.target, one.iter) for one in module.nodes.of(ast.For)]
        rows = [(one.target, one.iter) for one in module.nodes.of(ast.For, ast.comprehension)]
        rows += [(target, value) for target, value in bound if isinstance(target, (ast.Tuple, ast.List))]
        bound += [(node, value) for value in handed(module, node)]
        return any(binds(target, node.id) and is_part_of(module, value, depth + 1) for target, value in bound) or any(
            binds(target, node.id) and is_of_rows(value) for target, value in rows
        )
    if isinstance(node, (ast.Tuple, ast.List)):
        return any(is_part_of(module, one, depth) for one in node.elts)
    return False


def binds(target: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(target))


def is_of_rows(node: ast.expr) -> bool:
    """Whether iterating gives rows of a tensor: ``for row in x``, ``for n, row in enumerate(x)``, ``a, b = x``."""
    if isinstance(node, ast.Call) and called_name(node) in {"enumerate", "zip", "reversed"}:
        return any(map(is_of_rows, node.args))
    value = getattr(node, "v", None)
    return isinstance(value, Tensor) and not value.assumed
