"""torch.nn.functional: pooling by p-norm, unpooling."""

import paddle
import torch

from rewriters.rule import Rank, family, rule


def root(powers, norm_type):
    """Of the sums over windows."""
    return (paddle.sign(powers) * powers.abs()) ** (1.0 / norm_type)


@family("1d 2d 3d", "2 3 4")
@rule(torch.nn.functional.lp_pool1d)
def lp_pool1d(input: Rank[2], norm_type, kernel_size, stride=None, ceil_mode=False):
    return lp_pool1d(input.unsqueeze(0), norm_type, kernel_size, stride, ceil_mode).squeeze(0)


# with ceil_mode torch takes the average of what is left at the border for that of a whole window
@rule(torch.nn.functional.lp_pool1d)
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    if ceil_mode:
        average = paddle.nn.functional.avg_pool1d(input**norm_type, kernel_size, stride=stride, ceil_mode=True)
        return root(average * (kernel_size if isinstance(kernel_size, int) else kernel_size[0]), norm_type)
    return paddle.nn.functional.lp_pool1d(input, norm_type, kernel_size, stride=stride)


@rule(torch.nn.functional.lp_pool2d)
def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    if ceil_mode:
        return root(
            paddle.nn.functional.avg_pool2d(
                input**norm_type, kernel_size, stride=stride, ceil_mode=True, divisor_override=1
            ),
            norm_type,
        )
    return paddle.nn.functional.lp_pool2d(input, norm_type, kernel_size, stride=stride)


@rule(torch.nn.functional.lp_pool3d)
def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return root(
        paddle.nn.functional.avg_pool3d(
            input**norm_type, kernel_size, stride=stride, ceil_mode=ceil_mode, divisor_override=1
        ),
        norm_type,
    )


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
