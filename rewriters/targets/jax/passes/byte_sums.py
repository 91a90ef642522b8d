"""Sums and products of what is of 8 bits at times: JAX makes uint64 of uint8, torch int64."""

from __future__ import annotations

import ast

from rewriters.infer.values import INTEGRAL, ModuleInfo, Tensor
from rewriters.places import byte_sums as places

SUMS = {f"{owner}.{name}" for owner in ("torch", "torch.Tensor") for name in ("sum", "prod")}


def byte_sums(module: ModuleInfo) -> dict[ast.AST, str]:
    return places.byte_sums(module, SUMS, may_count)


def may_count(value: Tensor) -> bool:
    return bool(value.kinds & INTEGRAL)
