"""``x[0, :, rows]``: JAX takes a number beside arrays for an array, as numpy does, and puts what it picks first where a
range stands between them; torch takes numbers first.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import INT, Items, ModuleInfo, Plain, Series, Tensor, Value
from rewriters.places.index_parts import index_parts, is_open, is_written_out

KEY = "torch.Tensor.__getitem__:numbers"
LIST = Plain("list")


def numbers_apart(module: ModuleInfo) -> dict[ast.AST, str]:
    """Such subscripts of tensors in a file that are read."""
    return {
        node: KEY
        for node in module.nodes.of(ast.Subscript)
        if isinstance(node.ctx, ast.Load)
        and isinstance(getattr(node.value, "v", None), Tensor)
        and is_apart(node.slice)
    }


def is_apart(index: ast.expr) -> bool:
    """Whether a number stands apart from arrays, which stand together or would without it; of a tuple that is held by a
    name, also whether it may.
    """
    parts = index_parts(index)
    if not is_written_out(index) and any(map(is_open, parts)):
        return True
    kinds = "".join(map(kind_of, parts))
    arrays = kinds.replace("n", "").strip(":")
    return "n" in kinds and bool(arrays) and ":" not in arrays and ":" in kinds.strip(":")


def kind_of(part: Value) -> str:
    """``n`` for a number, ``a`` for an array, ``:`` for what is neither."""
    if isinstance(part, Tensor):
        return "n" if part.ndim == 0 else "a"
    if isinstance(part, (Items, Series)) or part == LIST:
        return "a"
    return "n" if part == INT else ":"
