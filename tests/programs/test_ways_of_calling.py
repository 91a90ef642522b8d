"""Calls as torch documents that they may be written; each class of what ``benchmarks/calls.py`` once found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

BOTH = ["paddle", "oneflow"]
CALLS = {
    "gradients of what is made": """
        w = torch.signal.windows.hann(5, requires_grad=True)
        v = torch.hamming_window(6, requires_grad=x.shape[0] == 2)
        show(w, w.requires_grad, v.requires_grad, torch.signal.windows.cosine(4, requires_grad=False).requires_grad)
    """,
    "paths by which torch knows the same": """
        import torch.nn.modules
        import torch.signal.windows.windows
        from torch.nn.modules import Conv2d, Tanh
        from torch.optim.adam import Adam
        show(torch.nn.modules.Tanh()(x), torch.signal.windows.windows.nuttall(7), torch.functional.norm(x), Tanh()(x))
        show(isinstance(torch.nn.modules.conv.Conv2d(1, 2, 3), Conv2d), Adam is torch.optim.Adam)
    """,
    "lists of tensors": """
        held = [x.clone(), x[0].clone()]
        show(torch._foreach_exp(held), torch._foreach_add(held, 1.5), torch._foreach_mul(held, [2.0, 3.0]))
        torch._foreach_mul_(held, 0.5)
        torch._foreach_add_(held, [x, x[0]], alpha=2)
        torch._foreach_addcdiv_(held, [x, x[0]], [x, x[0]], value=0.1)
        show(held, torch._foreach_abs_(held)[0] is held[0], held)
        show(torch._foreach_norm(held), torch._foreach_norm(held, 1), torch._foreach_max(held))
        show(torch._foreach_maximum(held, 0.7), torch._foreach_clamp_max(held, [0.5, 2]))
        show(torch._foreach_minimum(held, [x, x[0]]))
        show(torch._foreach_clamp_min([torch.tensor([1, 3])], 2.5), torch._foreach_maximum([torch.tensor([1, 3])], 2))
        torch._foreach_maximum_(held, 0.25)
        torch._foreach_clamp_max_(held, [x, x[0]])
        show(held)
        torch._foreach_zero_(held)
        show(held)
    """,
    "powers of integers": "show(torch.linalg.vander(torch.tensor([1, 2, 3], dtype=torch.int32)))",
}
PADDLE = {
    "windows that begin in the padding": """
        image = torch.arange(9.0).reshape(1, 1, 3, 3)
        show(F.max_pool2d(image, 2, padding=1, ceil_mode=True), F.avg_pool2d(image, 2, padding=1, ceil_mode=True))
        show(nn.MaxPool2d(2, padding=1, ceil_mode=True)(image), nn.AvgPool2d(2, padding=1, ceil_mode=True)(image))
        show(F.max_pool1d(image[0], 2, padding=1, ceil_mode=True), F.avg_pool1d(image[0], 2, padding=1, ceil_mode=True))
        show(nn.MaxPool1d(2, 2, 1, return_indices=False, ceil_mode=True)(image[0]))
        show(nn.MaxPool2d(3, 2, 1, ceil_mode=True)(torch.arange(16.0).reshape(1, 1, 4, 4)))
    """,
    "one sample without a batch": """
        image = torch.arange(64.0).reshape(4, 4, 4)
        show(F.pixel_shuffle(image, 2), F.pixel_unshuffle(image, 2), F.channel_shuffle(image, 2))
        show(F.unfold(image, 2), nn.Unfold(2)(image), nn.PixelShuffle(2)(image), nn.ChannelShuffle(2)(image))
        show(F.lp_pool2d(image, 2, 2))
        show(nn.ZeroPad2d((1, 0, 2, 1))(x), nn.ConstantPad1d((1, 2), 3.0)(x[0]))
        show(F.fold(torch.ones(4, 1), (2, 2), (2, 2)), nn.Fold((2, 2), (2, 2))(torch.ones(4, 1)))
    """,
    "rows of padding": """
        places, table = torch.tensor([1, 2]), torch.arange(12.0).reshape(4, 3)
        show(F.embedding(places, table, padding_idx=1, scale_grad_by_freq=True))
        layer = nn.Embedding(4, 3, padding_idx=1, scale_grad_by_freq=True)
        nn.init.constant_(layer.weight, 0.5)
        show(layer(places))
    """,
    "the half that a factor has": """
        square = torch.tensor([[2.0, 9.0], [0.5, 1.5]])
        show(torch.cholesky_inverse(square), torch.cholesky_solve(x[:, :1], square, upper=True))
        show(torch.svd(x, compute_uv=False).U.shape, torch.svd(x, compute_uv=False).V.shape)
    """,
    "cells without a bias": """
        cell = nn.LSTMCell(3, 2, bias=False)
        for name, p in cell.named_parameters():
            nn.init.constant_(p, 0.25)
        show(cell(x), len(list(cell.parameters())))
    """,
    "an axis that nobody names": """
        show(F.log_softmax(x), F.softmin(x), nn.Softmin()(x), F.log_softmax(x[None]), F.softmin(x[0]))
    """,
    "in place beside another dtype": """
        wide = torch.tensor([2.0, 3.0, 4.0], dtype=torch.float64)
        show(x.clone().addcmul_(x, wide), x.clone().atan2_(wide), x.clone().ldexp_(wide), x.clone().hypot_(wide))
    """,
    "truth values and numbers": """
        mask = torch.tensor([True, False])
        show(torch.bitwise_and(mask, 2), mask.bitwise_xor(True), torch.copysign(torch.tensor([1, 2]), -1))
    """,
}
ONEFLOW = {
    "one sample without a batch": """
        show(F.max_pool1d(x, 2), F.max_pool2d(x[None], 2), F.avg_pool2d(x[None], 2, 1), nn.AvgPool2d(2)(x[None]))
        show(F.adaptive_avg_pool2d(x[None], 1), nn.Unfold(2)(x[None]))
    """,
    "cells": """
        for kind in (nn.RNNCell, nn.GRUCell, nn.LSTMCell):
            cell = kind(3, 2, bias=kind is not nn.GRUCell)
            for name, p in cell.named_parameters():
                nn.init.constant_(p, 0.2 if "bias" in name else 0.1)
            show(cell(x), cell(x[0]), len(list(cell.parameters())))
    """,
    "tolerances by position": """
        near = torch.tensor([1.4, 2.0])
        show(torch.allclose(torch.tensor([1.0, 2.0]), near, 0.0, 0.5), torch.allclose(near, near * 1.2, 0.5, 0.0))
        show(torch.allclose(torch.tensor([100.0]), torch.tensor([101.0]), 0.5), near.allclose(near + 0.3, 0.5))
    """,
    "weighted losses": "show(F.huber_loss(x, 2 * x, weight=x.abs()), torch.mvlgamma(x.abs() + 1, 2))",
    "axes from the end": "show(torch.angle(torch.tensor([1, -2])), torch.angle(x))",
    "weights of integers": "show(torch.bincount(torch.tensor([0, 1, 1]), torch.tensor([1, 2, 3])))",
}
HEAD = """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F
        x = torch.tensor([[0.5, -1.25, 2.0], [0.75, 1.5, -0.3]])
"""


@pytest.mark.parametrize("target", BOTH)
@pytest.mark.parametrize("name", CALLS)
def test_calls_agree(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(f"{HEAD}        {CALLS[name].strip()}\n", target)


@pytest.mark.parametrize("name", PADDLE)
def test_calls_agree_in_paddle(agrees: Callable[..., object], name: str) -> None:
    agrees(f"{HEAD}        {PADDLE[name].strip()}\n", "paddle")


@pytest.mark.parametrize("name", ONEFLOW)
def test_calls_agree_in_oneflow(agrees: Callable[..., object], name: str) -> None:
    agrees(f"{HEAD}        {ONEFLOW[name].strip()}\n", "oneflow")
