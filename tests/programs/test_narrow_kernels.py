"""Truth values and narrow integers where Paddle has no kernels, and functions that give back what they are given."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")
BOTH = """
    import torch
    import torch.nn.functional as F

    m = torch.tensor([[True, False, True], [False, False, True], [True, True, False]])
    idx = torch.tensor([[0, 1, 2], [2, 1, 0], [0, 0, 0]])
    show(torch.eye(3, dtype=torch.bool), torch.eye(3, 2, dtype=torch.uint8), torch.eye(2, dtype=torch.float64))
    show(m.max(), torch.min(m), m.amax(1), torch.amin(m, dim=(0, 1), keepdim=True))
    show(F.pad(m, (1, 0), value=True), F.pad(m, (1, 1, 0, 1)))


    class Reversed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale):
            ctx.scale = scale
            return x.view_as(x)

        @staticmethod
        def backward(ctx, gradient):
            return gradient.neg() * ctx.scale, None


    a = torch.ones(3, requires_grad=True)
    Reversed.apply(a, 0.5).pow(2).sum().backward()
    show(a.grad)
    b = torch.ones(3, requires_grad=True)
    h = b * 2
    (Reversed.apply(h, 0.5).pow(2).sum() + (h * 5).sum()).backward()
    show(b.grad)
    scaler = torch.cuda.amp.GradScaler(enabled=False)
    show(scaler.get_scale(), scaler.is_enabled())
"""
SCATTERED = """
    import torch

    m = torch.tensor([[True, False, True], [False, False, True], [True, True, False]])
    idx = torch.tensor([[0, 1, 2], [2, 1, 0], [0, 0, 0]])
    show(torch.zeros_like(m).scatter_(1, idx, True), torch.zeros(3, 3, dtype=torch.bool).scatter_(1, idx[:, :1], True))
    show(m.scatter(1, idx, value=False), torch.maximum(m, ~m), m.minimum(~m))
    n = m.clone()
    n.scatter_(1, idx, ~m)
    show(n)
"""

ORDERED = """
    import torch
    show(torch.arange(5, dtype=torch.uint8), torch.arange(1, 3, dtype=torch.int16))
    show(torch.arange(4, dtype=torch.float16))
    show(torch.arange(0, 1, 0.25, dtype=torch.bfloat16).dtype == torch.bfloat16)
    show(torch.arange(3, dtype=torch.float32), torch.arange(3, dtype=torch.int32))
    m = torch.tensor([[True, False, True], [False, False, True]])
    n = torch.tensor(2)
    show(m.repeat_interleave(2, 0), torch.repeat_interleave(m, torch.tensor([1, 2]), dim=0))
    show(m.repeat_interleave(2), m.repeat_interleave(n, dim=1))
    v, i = m.sort(dim=1, descending=True, stable=True)
    show(v, i, torch.sort(m[0], stable=True).values, torch.argsort(m, dim=1, stable=True))
    show(torch.unique(m), m.unique(return_counts=True), torch.unique(m, return_inverse=True))
    show(torch.diag(m[0]), m.diag(1))
    mask = torch.arange(3)[None] < torch.tensor([[1], [3]])
    show(mask.repeat_interleave(2, dim=0).sum(1))
"""


@pytest.mark.parametrize("target", TARGETS)
def test_both_targets_take_them(target: str, agrees: Callable[..., object]) -> None:
    agrees(BOTH, target)


def test_paddle_scatters_truth_values(agrees: Callable[..., object]) -> None:
    agrees(SCATTERED, "paddle")


def test_paddle_orders_and_repeats_truth_values(agrees: Callable[..., object]) -> None:
    agrees(ORDERED, "paddle")
