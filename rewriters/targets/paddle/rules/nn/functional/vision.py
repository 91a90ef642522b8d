"""torch.nn.functional: vision."""

import paddle
import torch

from rewriters.rule import BoolTensor, ComplexTensor, FloatTensor, Rank, rule
from rewriters.shared.rules.nn.rowless import with_rows
from rewriters.targets.paddle.rules.products import wanting


@rule(torch.nn.functional.linear)
def linear(input, weight, bias=None):
    # Paddle's own linear takes the transposed weight
    return paddle.compat.nn.functional.linear(input, weight, bias)


@rule("torch.nn.functional.linear:rows")
def linear_of_rows(input, weight, bias=None):
    """Of no rows the gradients of the weight and the bias are zeros; Paddle's own raise."""
    if input.ndim != 2 or input.shape[0] > 0:
        return paddle.compat.nn.functional.linear(input, weight, bias)
    return paddle.compat.nn.functional.linear(with_rows(input), weight, bias)[:0]


@rule("torch.nn.functional.linear:layer")
def linear_of_layer(input, weight, bias=None):
    # the weight of a paddle.nn.Linear is the transposed one
    return paddle.nn.functional.linear(input, weight, bias)


def rows_but_padding(indices, weight, padding_idx, **options):
    """Paddle's own gives zeros for the padding index; torch gives its row, and hands no gradient to it."""
    rows = paddle.nn.functional.embedding(indices, weight, **options)
    kept = (indices != padding_idx % weight.shape[0]).unsqueeze(-1)
    return paddle.where(kept, rows, rows.detach())


@rule(torch.nn.functional.embedding)
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if padding_idx is not None and max_norm is None and not scale_grad_by_freq:
        return rows_but_padding(input, weight, padding_idx, sparse=sparse)
    if padding_idx is not None:
        return rows_but_padding(
            input,
            weight,
            padding_idx,
            max_norm=max_norm,
            norm_type=norm_type,
            sparse=sparse,
            scale_grad_by_freq=scale_grad_by_freq,
        )
    return paddle.nn.functional.embedding(
        input,
        weight,
        max_norm=max_norm,
        norm_type=norm_type,
        sparse=sparse,
        scale_grad_by_freq=scale_grad_by_freq,
    )


@rule(torch.nn.functional.one_hot)
def one_hot(input, num_classes=-1):
    return paddle.nn.functional.one_hot(input, num_classes).astype("int64")


@rule(torch.nn.functional.pad)
def pad(input, pad, mode="constant", value: float | None = None):
    # Paddle's own pad orders the amounts by the number of axes
    return paddle.compat.nn.functional.pad(input, pad, mode=mode, value=0.0 if value is None else value)


@rule(torch.nn.functional.pad)
def pad(input: FloatTensor | ComplexTensor, pad, mode="constant", value=None):
    return paddle.compat.nn.functional.pad(input, pad, mode=mode, value=0.0 if value is None else value)


@rule(torch.nn.functional.pad)
def pad(input, pad, mode="constant", *, value: int):
    return paddle.compat.nn.functional.pad(input, pad, mode=mode, value=value)


@rule(torch.nn.functional.pad)
def pad(input, pad, mode, value: int):
    return paddle.compat.nn.functional.pad(input, pad, mode=mode, value=value)


@rule(torch.nn.functional.pad)
def pad(input: BoolTensor, pad, mode="constant", value=None):
    filled = 0 if value is None else int(value)
    return paddle.compat.nn.functional.pad(input.astype("int32"), pad, mode=mode, value=filled).astype("bool")


@rule(torch.nn.functional.pad)
def pad(input, pad, mode="constant", *, value: bool):
    # a mask, most likely, which Paddle's own pads on GPUs alone
    if input.dtype == paddle.bool:
        return paddle.compat.nn.functional.pad(input.astype("int32"), pad, mode=mode, value=int(value)).astype("bool")
    return paddle.compat.nn.functional.pad(input, pad, mode=mode, value=float(value))


@rule(torch.nn.functional.pad)
def pad(input, pad, mode, value: bool):
    if input.dtype == paddle.bool:
        return paddle.compat.nn.functional.pad(input.astype("int32"), pad, mode=mode, value=int(value)).astype("bool")
    return paddle.compat.nn.functional.pad(input, pad, mode=mode, value=float(value))


def cropped(input, pad):
    """The tensor without what negative amounts take away, and the others: Paddle's own refuses negative ones."""
    parts = [slice(None)] * input.ndim
    for axis, (before, behind) in enumerate(zip(pad[::2], pad[1::2], strict=True), start=1):
        parts[-axis] = slice(max(-before, 0), input.shape[-axis] - max(-behind, 0))
    return input[tuple(parts)], [max(amount, 0) for amount in pad]


@rule("torch.nn.functional.pad:cropping")
def pad_or_crop(input, pad, mode="constant", value=None):
    if mode == "constant":
        input, pad = cropped(input, pad)
    truths = input.dtype == paddle.bool
    filled = paddle.compat.nn.functional.pad(
        input.astype("int32") if truths else input, pad, mode=mode, value=0.0 if value is None else float(value)
    )
    return filled.astype("bool") if truths else filled


@rule("torch.constant_pad_nd:cropping")
def constant_pad_or_crop(input, pad, value=0):
    return pad_or_crop(input, pad, value=value)


@rule(torch.nn.functional.unfold)
def unfold(input: Rank[3], kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.functional.unfold(
        input.unsqueeze(0), kernel_size, strides=stride, paddings=padding, dilations=dilation
    ).squeeze(0)


@rule(torch.nn.functional.unfold)
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.functional.unfold(input, kernel_size, strides=stride, paddings=padding, dilations=dilation)


@rule(torch.nn.functional.fold)
def fold(input: Rank[2], output_size, kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.functional.fold(
        input.unsqueeze(0), output_size, kernel_size, strides=stride, paddings=padding, dilations=dilation
    ).squeeze(0)


@rule(torch.nn.functional.fold)
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.functional.fold(
        input, output_size, kernel_size, strides=stride, paddings=padding, dilations=dilation
    )


def reflected(place, size, align_corners):
    """Places outside of an axis, mirrored at its ends until they lie within."""
    low, span = (0, size - 1) if align_corners else (-0.5, size)
    if span == 0:
        return paddle.zeros_like(place)
    away = (place - low).abs()
    flips, extra = (away / span).floor(), away - (away / span).floor() * span
    return paddle.where(flips % 2 == 0, extra, span - extra) + low


def cubic_weights(offset):
    """Of the four neighbours of a place, by its distance from the second: cubic convolution with a = -0.75."""
    a = -0.75
    near = [(a + 2) * t**3 - (a + 3) * t**2 + 1 for t in (offset, 1 - offset)]
    far = [a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a for t in (offset + 1, 2 - offset)]
    return [far[0], *near, far[1]]


def bicubic_grid_sample(input, grid, padding_mode, align_corners):
    """Paddle's own is bilinear or nearest."""
    count, channels, sizes = input.shape[0], input.shape[1], input.shape[2:]
    pixels = input.flatten(2)
    corners, weights = [], []
    for axis in range(2):
        place, size = grid[..., 1 - axis], sizes[axis]  # the grid says x, then y
        place = (place + 1) / 2 * (size - 1) if align_corners else ((place + 1) * size - 1) / 2
        corners.append(place.floor().detach())
        weights.append(cubic_weights(place - corners[axis]))
    total = 0
    for row in range(4):
        for column in range(4):
            flat, weight = paddle.zeros(grid.shape[:-1], "int64"), weights[0][row] * weights[1][column]
            for size, corner, step in zip(sizes, corners, (row, column), strict=True):
                place = corner + (step - 1)
                if padding_mode == "reflection":
                    place = reflected(place, size, align_corners)
                elif padding_mode == "zeros":
                    weight = weight * ((place >= 0) & (place < size)).astype(weight.dtype)
                flat = flat * size + place.clip(0, size - 1).astype("int64")
            found = paddle.take_along_axis(pixels, flat.reshape([count, 1, -1]).expand([-1, channels, -1]), axis=2)
            total = total + found.reshape([count, channels, *grid.shape[1:-1]]) * weight.unsqueeze(1)
    return total


@rule(torch.nn.functional.grid_sample)
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if mode == "bicubic":
        return bicubic_grid_sample(input, grid, padding_mode, align_corners)
    return paddle.nn.functional.grid_sample(
        wanting(input, grid),
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
