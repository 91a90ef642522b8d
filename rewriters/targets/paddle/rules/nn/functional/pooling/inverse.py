"""torch.nn.functional: pooling by p-norm, unpooling."""

import math

import paddle
import torch

from rewriters.rule import Rank, family, rule
from rewriters.targets.paddle.rules.nn.functional.pooling.windows import begun_inside, each


def norms_of_windows(pool, input, dims, norm_type, kernel_size, stride, ceil_mode):
    """The root of the mean power times the window's size, also of a window that is cut off at the border, as torch has
    it, NaN of a negative mean. Where a window holds zeros alone it has no slope; Paddle's own gives NaN there.
    """
    powers = pool(input**norm_type, kernel_size, stride=stride, ceil_mode=ceil_mode)
    if ceil_mode:
        powers = begun_inside(powers, input, dims, kernel_size, stride, 0)
    flat = powers == 0
    powers = paddle.where(flat, paddle.ones_like(powers), powers) * math.prod(each(kernel_size, dims))
    return paddle.where(flat, paddle.zeros_like(powers), powers ** (1.0 / norm_type))


@family("1d 2d 3d", "2 3 4")
@rule(torch.nn.functional.lp_pool1d)
def lp_pool1d(input: Rank[2], norm_type, kernel_size, stride=None, ceil_mode=False):
    return lp_pool1d(input.unsqueeze(0), norm_type, kernel_size, stride, ceil_mode).squeeze(0)


@family("1d 2d 3d", "1 2 3")
@rule(torch.nn.functional.lp_pool1d)
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return norms_of_windows(paddle.nn.functional.avg_pool1d, input, 1, norm_type, kernel_size, stride, ceil_mode)


@family("1d 2d 3d", "2 3 4")
@rule(torch.nn.functional.max_unpool1d)
def max_unpool1d(input: Rank[2], indices, kernel_size, stride=None, padding=0, output_size=None):
    return paddle.nn.functional.max_unpool1d(
        input.unsqueeze(0),
        indices.unsqueeze(0),
        kernel_size,
        stride=stride,
        padding=padding,
        output_size=output_size,
    ).squeeze(0)


@family("1d 2d 3d")
@rule(torch.nn.functional.max_unpool1d)
def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return paddle.nn.functional.max_unpool1d(
        input, indices, kernel_size, stride=stride, padding=padding, output_size=output_size
    )
