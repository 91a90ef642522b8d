"""torch.nn.functional: pooling by p-norm, unpooling."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.functional.lp_pool1d)
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return paddle.nn.functional.lp_pool1d(input, norm_type, kernel_size, stride=stride, ceil_mode=ceil_mode)


@rule(torch.nn.functional.lp_pool2d)
def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return paddle.nn.functional.lp_pool2d(input, norm_type, kernel_size, stride=stride, ceil_mode=ceil_mode)


@rule(torch.nn.functional.lp_pool3d)
def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    powers = paddle.nn.functional.avg_pool3d(
        input**norm_type, kernel_size, stride=stride, ceil_mode=ceil_mode, divisor_override=1
    )
    return (paddle.sign(powers) * powers.abs()) ** (1.0 / norm_type)


@rule(torch.nn.functional.max_unpool1d)
def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return paddle.nn.functional.max_unpool1d(
        input, indices, kernel_size, stride=stride, padding=padding, output_size=output_size
    )


@rule(torch.nn.functional.max_unpool2d)
def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return paddle.nn.functional.max_unpool2d(
        input, indices, kernel_size, stride=stride, padding=padding, output_size=output_size
    )


@rule(torch.nn.functional.max_unpool3d)
def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return paddle.nn.functional.max_unpool3d(
        input, indices, kernel_size, stride=stride, padding=padding, output_size=output_size
    )
