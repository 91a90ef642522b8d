"""What asks how a tensor lies in memory: what is computed lies there as the target has it."""

from __future__ import annotations

import ast

from rewriters.infer.values import Method, ModuleInfo, Ref
from rewriters.text.tree import called_name

ASKING = {"torch.Tensor.stride", "torch.Tensor.is_contiguous"}
# What lies as torch's does, if its receiver does.
VIEWING = {"t", "transpose", "permute", "swapaxes", "view", "narrow", "select", "detach", "data", "T", "mT", "unfold"}
# Of these, what puts the axes in another order; all that is computed of them has that order in torch.
REORDERING = {"t", "transpose", "permute", "swapaxes", "swapdims", "movedim", "moveaxis", "adjoint", "T", "mT", "H"}
# Whose results lie column after column in torch.
BY_COLUMNS = {
    "nonzero",
    "argwhere",
    "inv",
    "inverse",
    "solve",
    "solve_triangular",
    "lstsq",
    "cholesky",
    "qr",
    "svd",
    "eigh",
    "cholesky_ex",
    "cholesky_inverse",
    "cholesky_solve",
    "householder_product",
    "inv_ex",
    "lu_factor",
    "lu_solve",
    "solve_ex",
    "triangular_solve",
}
STRIDED = {"torch.as_strided", "torch.Tensor.as_strided"}
MADE = {"tensor", "zeros", "ones", "empty", "full", "rand", "randn", "arange", "linspace", "from_numpy"}


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of a file that are marked, with the key of the rule that does so."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not (isinstance(called, Method) and called.name in ASKING and isinstance(node.func, ast.Attribute)):
            continue
        if not is_handed_along(module, node) and not is_laid_out(
            module, node.func.value, 0, called.name.endswith("stride")
        ):
            found[node] = f"{called.name}:computed"
    return found


def reordered(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of as_strided of what is computed and lies transposed in torch, by what it is of or what computes it, with
    the rule's key."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if isinstance(called, (Ref, Method)) and called.name in STRIDED:
            of = (
                [node.func.value]
                if isinstance(node.func, ast.Attribute) and isinstance(called, Method)
                else node.args[:1]
            )
            if any(is_reordered(module, part, 0, False) for part in of):
                found[node] = f"{called.name}:computed"
    return found


def is_handed_along(module: ModuleInfo, node: ast.Call) -> bool:
    """``kernel(x, x.stride(0))``: whatever it is, it fits x."""
    around, asked = module.nodes.parents.get(node), node.func.value  # type: ignore[attr-defined]
    given = around.args if isinstance(around, ast.Call) else []
    return isinstance(asked, ast.Name) and any(isinstance(part, ast.Name) and part.id == asked.id for part in given)


def is_laid_out(module: ModuleInfo, node: ast.expr, depth: int, exactly: bool) -> bool:
    """Whether a tensor lies as torch's: new, in one piece, a layer's, or a view of such a one.

    exactly: by the strides of axes of one element too, which are anything in what already lies in one piece.
    """
    if isinstance(node, ast.Name) and depth < 3:
        given = [one for one in module.nodes.of(ast.Assign) if any(is_name(t, node.id) for t in one.targets)]
        return bool(given) and all(is_laid_out(module, one.value, depth + 1, exactly) for one in given)
    if isinstance(node, ast.Attribute):
        return node.attr in {"weight", "bias"} or (
            node.attr in VIEWING and is_laid_out(module, node.value, depth, exactly)
        )
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        plain = all(isinstance(part, ast.Slice) or getattr(part, "value", None).__class__ is int for part in parts)
        return plain and is_laid_out(module, node.value, depth, exactly)
    if not isinstance(node, ast.Call):
        return False
    name = called_name(node)
    if name in VIEWING and isinstance(node.func, ast.Attribute) and not isinstance(node.func.v, Ref):  # type: ignore[attr-defined]
        return is_laid_out(module, node.func.value, depth, exactly)
    return name in MADE or (name == "contiguous" and not exactly)


def is_reordered(module: ModuleInfo, node: ast.expr, depth: int, computed: bool) -> bool:
    """Whether it is computed, and of what has its axes in another order than they lie in memory."""
    if isinstance(node, ast.Name) and depth < 3:
        given = [one for one in module.nodes.of(ast.Assign) if any(is_name(t, node.id) for t in one.targets)]
        return any(is_reordered(module, one.value, depth + 1, computed) for one in given)
    if isinstance(node, ast.Attribute):
        return (node.attr in REORDERING and computed) or is_reordered(module, node.value, depth, computed)
    if isinstance(node, ast.Subscript):
        return is_reordered(module, node.value, depth, computed)
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
        return any(is_reordered(module, part, depth, True) for part in operands)
    if not isinstance(node, ast.Call):
        return False
    name, method = called_name(node), isinstance(node.func, ast.Attribute) and not isinstance(node.func.v, Ref)  # type: ignore[attr-defined]
    if (name in REORDERING and computed) or name in BY_COLUMNS or name == "einsum":
        return True
    parts = [*([node.func.value] if method else []), *node.args]  # type: ignore[attr-defined]
    computed |= name not in VIEWING
    return name not in {"contiguous", "reshape"} and any(is_reordered(module, part, depth, computed) for part in parts)


def is_name(node: ast.expr, name: str) -> bool:
    """Whether a target binds a name, alone or among others."""
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)
