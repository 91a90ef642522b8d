"""torch.nn.functional: sampling at the places of a grid."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.functional.grid_sample)
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if mode == "bicubic":
        raise NotImplementedError("Paddle's grid_sample is bilinear or nearest; use bilinear")
    return paddle.nn.functional.grid_sample(
        input,
        grid,
        mode=mode,
        padding_mode=padding_mode,
        align_corners=False if align_corners is None else align_corners,
    )


@rule(torch.nn.functional.affine_grid)
def affine_grid(theta, size, align_corners=None):
    return paddle.nn.functional.affine_grid(
        theta, size, align_corners=False if align_corners is None else align_corners
    )
