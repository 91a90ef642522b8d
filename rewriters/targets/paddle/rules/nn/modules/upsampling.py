"""torch.nn.modules: layers that change the size of images."""

import paddle
import torch

from rewriters.rule import family, rule


@rule(torch.nn.Upsample)
def Upsample(size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    if mode == "nearest-exact":
        raise NotImplementedError("Paddle's Upsample has no mode nearest-exact; use nearest")
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
