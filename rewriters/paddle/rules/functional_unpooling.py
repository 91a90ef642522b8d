"""torch.nn.functional: pooling by p-norm, fractional pooling, unpooling."""

import paddle
import torch

from rewriters.rule import rule


def with_long_mask(found):
    """Paddle's indices are int32."""
    pooled, indices = found
    return pooled, indices.astype("int64")


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


@rule(torch.nn.functional.fractional_max_pool2d)
def fractional_max_pool2d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    if output_size is None or _random_samples is not None:
        raise NotImplementedError("Paddle's fractional_max_pool2d takes output_size only, and one random number")
    if return_indices:
        return with_long_mask(
            paddle.nn.functional.fractional_max_pool2d(input, output_size, kernel_size=kernel_size, return_mask=True)
        )
    return paddle.nn.functional.fractional_max_pool2d(input, output_size, kernel_size=kernel_size)


@rule(torch.nn.functional.fractional_max_pool2d_with_indices)
def fractional_max_pool2d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    if output_size is None or _random_samples is not None:
        raise NotImplementedError("Paddle's fractional_max_pool2d takes output_size only, and one random number")

    return with_long_mask(
        paddle.nn.functional.fractional_max_pool2d(input, output_size, kernel_size=kernel_size, return_mask=True)
    )


@rule(torch.nn.functional.fractional_max_pool3d)
def fractional_max_pool3d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    if output_size is None or _random_samples is not None:
        raise NotImplementedError("Paddle's fractional_max_pool3d takes output_size only, and one random number")
    if return_indices:
        return with_long_mask(
            paddle.nn.functional.fractional_max_pool3d(input, output_size, kernel_size=kernel_size, return_mask=True)
        )
    return paddle.nn.functional.fractional_max_pool3d(input, output_size, kernel_size=kernel_size)


@rule(torch.nn.functional.fractional_max_pool3d_with_indices)
def fractional_max_pool3d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    if output_size is None or _random_samples is not None:
        raise NotImplementedError("Paddle's fractional_max_pool3d takes output_size only, and one random number")

    return with_long_mask(
        paddle.nn.functional.fractional_max_pool3d(input, output_size, kernel_size=kernel_size, return_mask=True)
    )


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
