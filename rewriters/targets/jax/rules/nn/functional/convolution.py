"""torch.nn.functional: convolutions, channels first as torch has them."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import family, rule

LETTERS = "DHW"


def several(value, count):
    """A number for each axis of space."""
    value = (value,) if isinstance(value, int) else tuple(value)
    return value * count if len(value) == 1 else value


def convolved(x, weight, bias, stride, padding, dilation, groups):
    """A convolution over however many axes the weight has."""
    count = weight.ndim - 2
    stride, dilation = several(stride, count), several(dilation, count)
    if padding == "valid":
        padding = 0
    if padding == "same":
        spans = [step * (size - 1) for step, size in zip(dilation, weight.shape[2:], strict=True)]
        pairs = [(span // 2, span - span // 2) for span in spans]
    else:
        pairs = [(size, size) for size in several(padding, count)]
    batched = x.ndim == weight.ndim
    axes = LETTERS[-count:]
    found = jax.lax.conv_general_dilated(
        x if batched else x[None],
        weight,
        stride,
        pairs,
        rhs_dilation=dilation,
        dimension_numbers=(f"NC{axes}", f"OI{axes}", f"NC{axes}"),
        feature_group_count=groups,
    )
    if bias is not None:
        found = found + bias.reshape(-1, *[1] * count)
    return found if batched else found[0]


@family("1d 2d 3d")
@rule(torch.nn.functional.conv1d, torch.conv1d)
def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolved(input, weight, bias, stride, padding, dilation, groups)


def convolved_back(x, weight, bias, stride, padding, output_padding, groups, dilation):
    """The transposed convolution: of its weight torch has the input's channels first."""
    count = weight.ndim - 2
    stride, dilation, padding, more = (several(value, count) for value in (stride, dilation, padding, output_padding))
    batched = x.ndim == weight.ndim
    axes = LETTERS[-count:]
    rows, columns, *window = weight.shape
    turned = jnp.flip(weight, tuple(range(2, weight.ndim))).reshape(groups, rows // groups, columns, *window)
    turned = jnp.swapaxes(turned, 1, 2).reshape(groups * columns, rows // groups, *window)
    spans = [step * (size - 1) for step, size in zip(dilation, window, strict=True)]
    pairs = [(span - size, span - size + extra) for span, size, extra in zip(spans, padding, more, strict=True)]
    found = jax.lax.conv_general_dilated(
        x if batched else x[None],
        turned,
        (1,) * count,
        pairs,
        lhs_dilation=stride,
        rhs_dilation=dilation,
        dimension_numbers=(f"NC{axes}", f"OI{axes}", f"NC{axes}"),
        feature_group_count=groups,
    )
    if bias is not None:
        found = found + bias.reshape(-1, *[1] * count)
    return found if batched else found[0]


@family("1d 2d 3d")
@rule(torch.nn.functional.conv_transpose1d, torch.conv_transpose1d)
def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return convolved_back(input, weight, bias, stride, padding, output_padding, groups, dilation)


@rule(torch.nn.functional.unfold)
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    x = input if input.ndim == 4 else input[None]
    size, dilation, padding, stride = (several(value, 2) for value in (kernel_size, dilation, padding, stride))
    batch = x.shape[0]
    x = x if batch else jnp.zeros((1, *x.shape[1:]), x.dtype)  # JAX takes no patches of nothing
    found = jax.lax.conv_general_dilated_patches(
        x, size, stride, [(pad, pad) for pad in padding], rhs_dilation=dilation
    )
    found = found.reshape(*found.shape[:2], -1)[:batch]
    return found if input.ndim == 4 else found[0]


@rule(torch.nn.functional.fold)
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    x = input if input.ndim == 3 else input[None]
    out, size, dilation, padding, stride = (
        several(value, 2) for value in (output_size, kernel_size, dilation, padding, stride)
    )
    channels = x.shape[1] // (size[0] * size[1])
    counts = [(out[n] + 2 * padding[n] - dilation[n] * (size[n] - 1) - 1) // stride[n] + 1 for n in (0, 1)]
    pieces = x.reshape(x.shape[0], channels, *size, *counts)
    rows, columns = (jnp.arange(size[n])[:, None] * dilation[n] + jnp.arange(counts[n]) * stride[n] for n in (0, 1))
    whole = jnp.zeros((x.shape[0], channels, *(out[n] + 2 * padding[n] for n in (0, 1))), x.dtype)
    whole = whole.at[:, :, rows[:, None, :, None], columns[None, :, None, :]].add(pieces)
    found = whole[:, :, padding[0] : padding[0] + out[0], padding[1] : padding[1] + out[1]]
    return found if input.ndim == 3 else found[0]


@rule(torch.nn.functional.pixel_shuffle, torch.pixel_shuffle)
def pixel_shuffle(input, upscale_factor):
    *lead, channels, rows, columns = input.shape
    r = upscale_factor
    pieces = input.reshape(*lead, channels // r**2, r, r, rows, columns)
    return jnp.moveaxis(pieces, (-4, -3), (-3, -1)).reshape(*lead, channels // r**2, rows * r, columns * r)


@rule(torch.nn.functional.pixel_unshuffle, torch.pixel_unshuffle)
def pixel_unshuffle(input, downscale_factor):
    *lead, channels, rows, columns = input.shape
    r = downscale_factor
    pieces = input.reshape(*lead, channels, rows // r, r, columns // r, r)
    return jnp.moveaxis(pieces, (-3, -1), (-4, -3)).reshape(*lead, channels * r**2, rows // r, columns // r)


@rule(torch.nn.functional.channel_shuffle, torch.channel_shuffle, torch.native_channel_shuffle)
def channel_shuffle(input, groups):
    batch, channels, *space = input.shape
    pieces = input.reshape(batch, groups, channels // groups, *space)
    return jnp.swapaxes(pieces, 1, 2).reshape(input.shape)


@rule(torch.conv_tbc)
def conv_tbc(input, weight, bias, pad=0):
    # time, batch, channels; the weight is (width, in, out)
    found = convolved(input.transpose(1, 2, 0), weight.transpose(2, 1, 0), bias, 1, pad, 1, 1)
    return found.transpose(2, 0, 1)
