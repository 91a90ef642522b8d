"""What OneFlow has no kernels for of uint8 (rules/bytes.py)."""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo
from rewriters.places import byte_kernels as places

NAMES = ("where", "index_select", "masked_fill", "repeat_interleave", "clamp", "clip", "unique")
LACKING = {f"{owner}.{name}" for owner in ("torch", "torch.Tensor") for name in NAMES}


def byte_kernels(module: ModuleInfo) -> dict[ast.AST, str]:
    return places.byte_kernels(module, LACKING)
