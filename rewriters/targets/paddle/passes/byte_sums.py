"""Sums of what is of 8 bits at times, and of other kinds at others: Paddle's sum of uint8 overflows."""

from __future__ import annotations

import ast

from rewriters.infer.values import INTEGRAL, ModuleInfo, Tensor
from rewriters.places import byte_sums as places

SUMS = {"torch.sum", "torch.Tensor.sum"}


def byte_sums(module: ModuleInfo) -> dict[ast.AST, str]:
    return places.byte_sums(module, SUMS, counts_at_times)


def counts_at_times(value: Tensor) -> bool:
    return bool(value.kinds & INTEGRAL and value.kinds & ~INTEGRAL)
