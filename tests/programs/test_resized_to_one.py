"""Images resized so that an axis is one pixel long: what lies in the middle, not the first pixel."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_an_axis_of_one_pixel(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        import torch.nn.functional as F

        def resized(x, sizes, factor, mode):
            show(F.interpolate(x, size=sizes, mode=mode), F.interpolate(x, scale_factor=factor, mode=mode))
            show(F.interpolate(x, size=sizes, mode=mode, align_corners=True))
            show(torch.nn.Upsample(size=sizes, mode=mode)(x), torch.nn.Upsample(scale_factor=factor, mode=mode)(x))

        for shape in ((2, 1, 4, 5), (1, 2, 4, 4), (1, 1, 5, 4)):
            x = (torch.arange(torch.Size(shape).numel(), dtype=torch.float32).reshape(shape) ** 2).requires_grad_()
            for sizes in ((1, 1), (1, 3), (6, 1), (4, 4)):
                resized(x, sizes, 0.34, "bilinear")
                resized(x, sizes, 0.34, "bicubic")
            y = F.interpolate(x, size=1, mode="bilinear")
            y.sum().backward()
            show(y, x.grad, F.interpolate(x, scale_factor=(0.3, 2.0), mode="bilinear"))
            show(F.interpolate(x, scale_factor=2, mode="bilinear"), F.interpolate(x, size=(8, 8), mode="bicubic"))
        """,
        target,
    )
