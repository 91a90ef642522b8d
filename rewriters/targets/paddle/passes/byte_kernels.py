"""What Paddle has no kernels for of 8 bits (rules/bytes.py)."""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo
from rewriters.places import byte_kernels as places

BOTH = (
    "mul", "sub", "remainder", "pow", "maximum", "minimum", "logical_and", "logical_or", "logical_xor", "logical_not",
    "nonzero", "triu", "tril", "diag", "flip", "roll", "index_select", "repeat_interleave", "clamp", "clip", "abs",
    "square", "max", "min", "amax", "amin", "unique", "bincount", "outer", "where", "topk", "diff",
)  # fmt: skip
OF_TENSORS = (
    "mul_", "sub_", "fill_diagonal_", "expand_as",
    "__mul__", "__sub__", "__mod__", "__pow__", "__imul__", "__isub__",
)  # fmt: skip
LACKING = {f"{owner}.{name}" for owner in ("torch", "torch.Tensor") for name in BOTH}
LACKING |= {f"torch.Tensor.{name}" for name in OF_TENSORS} | {"torch.nn.functional.pad"}


def byte_kernels(module: ModuleInfo) -> dict[ast.AST, str]:
    return places.byte_kernels(module, LACKING)
