"""What pools remember of how they were made, asked below a class that derives from them too."""

from __future__ import annotations

from collections.abc import Callable


def test_dilation_is_as_it_was_given(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F

        class Same(nn.MaxPool2d):
            def __init__(self, size, stride, dilation=1):
                super().__init__((size, size), (stride, stride), (0, 0), (dilation, dilation))

            def forward(self, x):
                extra = (self.kernel_size[0] - 1) * self.dilation[0]
                x = F.pad(x, (extra, 0, extra, 0), value=-1.0)
                return F.max_pool2d(x, self.kernel_size, self.stride, (0, 0), self.dilation, self.ceil_mode)

        x = torch.arange(48.0).reshape(1, 3, 4, 4).sin()
        pool = Same(3, 2)
        show(pool(x), pool.dilation, pool.stride, nn.MaxPool2d(2).dilation, nn.MaxPool2d(2, dilation=(1, 1)).dilation)
        show(nn.MaxPool2d(2, dilation=(1, 1))(x), nn.MaxPool1d(2, dilation=1)(x[0]))
        """,
        "paddle",
    )
