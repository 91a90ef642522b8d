"""torch.nn.modules: layers that change the size of images."""

import paddle
import torch

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.nn.functional.resampling import resampled


class Resampling(paddle.nn.Upsample):
    """Of images of which an axis may become 1, where Paddle's own takes the first pixel."""

    def __init__(self, size, scale_factor, mode, recompute_scale_factor):
        super().__init__(size, scale_factor, mode, False)
        self.recomputes = recompute_scale_factor

    def forward(self, x):
        return resampled(x, self.size, self.scale_factor, self.mode, self.recomputes)


def may_be_one(size):
    return size is None or size == 1 or (isinstance(size, (list, tuple)) and 1 in size)


@rule(torch.nn.Upsample)
def Upsample(size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    if mode == "nearest-exact":
        raise NotImplementedError("Paddle's Upsample has no mode nearest-exact; use nearest")
    may_shrink = scale_factor not in (1, 2, 3, 4, 8, 16, 32) and may_be_one(size)
    if mode in ("bilinear", "bicubic") and not align_corners and may_shrink:
        return Resampling(size, scale_factor, mode, recompute_scale_factor)
    return paddle.nn.Upsample(
        size=size,
        scale_factor=scale_factor,
        mode=mode,
        align_corners=False if align_corners is None else align_corners,
        recompute_scale_factor=recompute_scale_factor,
    )


@family("UpsamplingBilinear2d UpsamplingNearest2d", "UpsamplingBilinear2D UpsamplingNearest2D")
@rule(torch.nn.UpsamplingBilinear2d)
def UpsamplingBilinear2d(size=None, scale_factor=None):
    return paddle.nn.UpsamplingBilinear2D(size=size, scale_factor=scale_factor)
