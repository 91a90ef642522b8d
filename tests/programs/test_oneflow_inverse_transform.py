"""The class of inverse transforms, which torch keeps for itself and libraries name."""

from __future__ import annotations

from collections.abc import Callable

PROGRAM = """
import torch
from torch.distributions import transforms
torch.distributions.transforms._InverseTransform.__name__ = "Inverse"
inverse = transforms.ExpTransform().inv
x = torch.tensor([0.5, 2.0])
show(isinstance(inverse, transforms._InverseTransform), type(inverse).__name__, inverse(x))
show(isinstance(transforms.ExpTransform(), transforms._InverseTransform))
"""


def test_inverse_transforms_have_a_class(agrees: Callable[..., object]) -> None:
    agrees(PROGRAM, "oneflow")
