"""``x[0, :, rows]``: JAX takes a number beside arrays for an array, as numpy does, and puts what it picks first where a
range stands between them; torch takes numbers first.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import INT, Items, ModuleInfo, Plain, Series, Tensor

KEY = "torch.Tensor.__getitem__:numbers"
LIST = Plain("list")


def numbers_apart(module: ModuleInfo) -> dict[ast.AST, str]:
    """Such subscripts of tensors in a file that are read."""
    return {
        node: KEY
        for node in module.nodes.of(ast.Subscript)
        if isinstance(node.ctx, ast.Load)
        and isinstance(node.slice, ast.Tuple)
        and isinstance(getattr(node.value, "v", None), Tensor)
        and is_apart(node.slice.elts)
    }


def is_apart(parts: list[ast.expr]) -> bool:
    """Whether a number stands apart from arrays, which stand together or would without it."""
    kinds = "".join(map(kind_of, parts))
    arrays = kinds.replace("n", "").strip(":")
    return "n" in kinds and bool(arrays) and ":" not in arrays and ":" in kinds.strip(":")


def kind_of(part: ast.expr) -> str:
    """``n`` for a number, ``a`` for an array, ``:`` for what is neither."""
    value = getattr(part, "v", None)
    if isinstance(value, Tensor):
        return "n" if value.ndim == 0 else "a"
    if isinstance(value, (Items, Series)) or value == LIST:
        return "a"
    return "n" if value == INT else ":"
