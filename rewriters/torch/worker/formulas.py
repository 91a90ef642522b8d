"""Functions computed as their formulas say, where torch goes around what rounding takes away.

``logsigmoid(15)`` is -3e-7 in torch and -2.4e-7 by ``-log(1 + exp(-15))``: where such a function is next to nothing
against the numbers it is made of, other frameworks are as right as float32 allows, and stand far from torch. Loaded by
path in the interpreter that has torch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode


def softplus(x: torch.Tensor, beta: float = 1.0, threshold: float = 20.0) -> torch.Tensor:
    """log(1 + exp(x)), without overflow."""
    scaled = x * beta
    most = scaled.clamp(min=0)
    found = (most + torch.log(torch.exp(-most) + torch.exp(scaled - most))) / beta
    return torch.where(scaled > threshold, x, found)


def log_sigmoid(x: torch.Tensor) -> torch.Tensor:
    """log(1 / (1 + exp(-x)))."""
    return -softplus(-x, 1.0, float("inf"))


def binary_cross_entropy_with_logits(
    x: torch.Tensor,
    target: torch.Tensor,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:
    """By the logarithms of the sigmoids."""
    if size_average is not None or reduce is not None:
        return NotImplemented
    positive = target if pos_weight is None else target * pos_weight
    found = -(positive * log_sigmoid(x) + (1 - target) * log_sigmoid(-x))
    found = found if weight is None else found * weight
    return {"mean": torch.mean, "sum": torch.sum, "none": torch.clone}[reduction](found)


FORMULAS: dict[Any, Callable[..., Any]] = {
    torch.nn.functional.logsigmoid: log_sigmoid,
    torch.nn.functional.softplus: softplus,
    torch.nn.functional.binary_cross_entropy_with_logits: binary_cross_entropy_with_logits,
}


class Formulas(TorchFunctionMode):  # type: ignore[misc, unused-ignore]
    """Has them computed so, inside of ``with``."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        formula = FORMULAS.get(func)
        found = NotImplemented if formula is None else formula(*args, **kwargs)
        return func(*args, **kwargs) if found is NotImplemented else found
