"""What lies otherwise in OneFlow than in torch, where it is reshaped: softmax and ``normalize`` over another axis than
the last give one piece in torch, and a transposed tensor in OneFlow; so does what is picked behind a range.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import Instance, Method, ModuleInfo, Ref, Tensor
from rewriters.places.by_text import names_holding, names_of
from rewriters.places.computed_layouts import reshaped_in, with_others
from rewriters.text.tree import called_name

TRANSPOSING = {
    f"torch.{owner}{name}" for owner in ("", "nn.functional.", "Tensor.") for name in ("softmax", "log_softmax")
} | {f"torch.nn.functional.{name}" for name in ("softmin", "gumbel_softmax", "normalize")}
# Modules whose results lie so.
LAYERS = {f"torch.nn.{name}" for name in ("Softmax", "LogSoftmax", "Softmin", "Softmax2d")}


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """Reshapings, softmaxes and items of a file that a special rule answers for, with its key."""
    reached: set[ast.Call] = set()

    def turned(node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and transposes(node):
            reached.add(node)  # it is laid in one piece where it is computed
        return is_turned(node)

    found = reshaped_in(module, turned)
    strided = any(node.attr == "as_strided" for node in module.nodes.of(ast.Attribute))
    laid = in_one_piece(module, with_others(module, found.of), strided) if found.of or strided else {}
    laid |= {node: f"{node.func.v.name}:laid" for node in reached}  # type: ignore[attr-defined]
    return found.keys | (dict(picked_in_one_piece(module)) if strided else {}) | laid


def in_one_piece(module: ModuleInfo, reshaped: set[str], strided: bool) -> dict[ast.AST, str]:
    """Calls of these functions that are bound to one of these names, or that a function gives which is called to bind
    one; strided: all that are known to have several axes, in a file that goes by strides itself.
    """
    bindings = [one for one in module.nodes.of(ast.Assign) if not reshaped.isdisjoint(names_of(one))]
    giving = {called_name(one.value) for one in bindings if isinstance(one.value, ast.Call)}
    found: dict[ast.AST, str] = {}
    for node in filter(transposes, module.nodes.of(ast.Call)):
        within = module.nodes.around(node, ast.stmt)
        function = module.nodes.around(node, ast.FunctionDef) if isinstance(within, ast.Return) else None
        bound = not reshaped.isdisjoint(names_holding(module, node) - {""})
        if (strided and has_axes(node)) or bound or (isinstance(function, ast.FunctionDef) and function.name in giving):
            found[node] = f"{node.func.v.name}:laid"
    return found


def transposes(node: ast.Call) -> bool:
    called = getattr(node.func, "v", None)
    return isinstance(called, (Method, Ref)) and called.name in TRANSPOSING


def has_axes(node: ast.Call) -> bool:
    value = getattr(node, "v", None)
    return isinstance(value, Tensor) and value.ndim is not None and value.ndim > 1


def picked_in_one_piece(module: ModuleInfo) -> Iterator[tuple[ast.AST, str]]:
    """What is picked behind a range."""
    for node in module.nodes.of(ast.Subscript):
        if isinstance(node.ctx, ast.Load) and is_turned(node):
            yield node, "torch.Tensor.__getitem__:laid"


def is_turned(node: ast.expr) -> bool:
    """``x[:, [0, 2]]``: by a list, an array or a tensor along another axis than the first. ``einsum``, whose axes come
    in another order. A layer that is a softmax.
    """
    if isinstance(node, ast.Call):
        called = getattr(node.func, "v", None)
        return called_name(node) == "einsum" or (isinstance(called, Instance) and called.name in LAYERS)
    if not isinstance(node, ast.Subscript):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
    if not isinstance(getattr(node.value, "v", None), Tensor) or not parts or not isinstance(parts[0], ast.Slice):
        return False
    return any(
        isinstance(part, (ast.List, ast.Tuple)) or isinstance(getattr(part, "v", None), Tensor) for part in parts
    )
