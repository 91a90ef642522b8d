"""torch: pooling."""

import paddle
import torch

from rewriters.rule import Rank, rule
from rewriters.targets.paddle.rules.nn.functional.pooling.windows import averages_begun_inside


@rule(torch.avg_pool1d)
def avg_pool1d(input: Rank[2], kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    if ceil_mode and (
        padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3))
    ):
        return averages_begun_inside(input.unsqueeze(0), 1, kernel_size, stride, padding, count_include_pad).squeeze(0)
    return paddle.nn.functional.avg_pool1d(
        input.unsqueeze(0),
        kernel_size,
        stride=stride,
        padding=padding,
        ceil_mode=ceil_mode,
        exclusive=not count_include_pad,
    ).squeeze(0)


@rule(torch.avg_pool1d)
def avg_pool1d(input, kernel_size, stride=None, *, count_include_pad=True):
    return paddle.nn.functional.avg_pool1d(input, kernel_size, stride=stride)


@rule(torch.avg_pool1d)
def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    if ceil_mode and (
        padding != 0 or (stride not in (1, None, kernel_size) and not (stride == 2 and kernel_size == 3))
    ):
        return averages_begun_inside(input, 1, kernel_size, stride, padding, count_include_pad)
    return paddle.nn.functional.avg_pool1d(
        input, kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode, exclusive=not count_include_pad
    )


@rule(torch.adaptive_avg_pool1d)
def adaptive_avg_pool1d(input: Rank[2], output_size):
    return paddle.nn.functional.adaptive_avg_pool1d(input.unsqueeze(0), output_size).squeeze(0)


@rule(torch.adaptive_avg_pool1d)
def adaptive_avg_pool1d(input, output_size):
    return paddle.nn.functional.adaptive_avg_pool1d(input, output_size)
