"""``hasattr`` of tensors, by which programs tell them from arrays and from the rest."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import numpy as np
    import torch

    x = torch.ones(2)


    def plain(value):
        if hasattr(value, "detach"):
            value = value.detach().cpu()
        return value.numpy() if hasattr(value, "numpy") else np.asarray(value)


    def kind(value):
        known = [hasattr(value, "astype"), hasattr(value, "at"), hasattr(value, "tobytes"), hasattr(value, "absolute_")]
        return known + [hasattr(value, "silu"), hasattr(value, "place"), hasattr(value, "numpy"), hasattr(value, "foo")]


    class Box:
        place, at = 1, 2


    def moved(batch):
        return {k: v.to("cpu") if hasattr(v, "to") and callable(v.to) else v for k, v in batch.items()}


    show(moved({"a": x, "b": 1, "c": [x]}))
    show(hasattr(x, "detach"), hasattr(x, "astype"), hasattr(x, "foo"), hasattr(x + 1, "retain_grad"))
    show(plain(x * 2), plain([1.0, 2.0]), plain(np.arange(2)))
    show(kind(x), kind(np.ones(2)), kind(3), kind(Box()), kind("text"))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_hasattr_says_of_tensors_what_torch_says(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
