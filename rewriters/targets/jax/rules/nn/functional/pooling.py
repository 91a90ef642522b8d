"""torch.nn.functional: pooling, channels first as torch has them."""

import math

import jax
import jax.numpy as jnp
import numpy
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.nn.functional.convolution import several

COUNTS = {"one": 1, "two": 2, "three": 3}  # words of families: numbers would be exchanged in defaults too


def windows_of(x, count, size, stride, padding, dilation, ceil_mode):
    """Places of what each window holds, for each axis: (from 0 in what is padded, how many windows)."""
    size, padding, dilation = (several(value, count) for value in (size, padding, dilation))
    stride = size if stride is None or stride in ([], ()) else several(stride, count)
    counts = []
    for n in range(count):
        room = x.shape[n - count] + 2 * padding[n] - dilation[n] * (size[n] - 1) - 1
        found = (-(-room // stride[n]) if ceil_mode else room // stride[n]) + 1
        if ceil_mode and (found - 1) * stride[n] >= x.shape[n - count] + padding[n]:
            found -= 1  # the last window begins within the input
        counts.append(found)
    return size, stride, padding, dilation, counts


def places_of(x, count, size, stride, padding, dilation, ceil_mode):
    """Of each axis the places that each window looks at: [windows, size], -1 outside."""
    size, stride, padding, dilation, counts = windows_of(x, count, size, stride, padding, dilation, ceil_mode)
    found = []
    for n in range(count):
        starts = jnp.arange(counts[n]) * stride[n] - padding[n]
        found.append(starts[:, None] + jnp.arange(size[n]) * dilation[n])
    return found


def pooled_max(x, count, size, stride, padding, dilation, ceil_mode, indices):
    """The largest of each window, and where it lies in the input's space, counted row by row."""
    size, stride, padding, dilation, counts = windows_of(x, count, size, stride, padding, dilation, ceil_mode)
    lead = x.shape[: x.ndim - count]
    inexact = jnp.issubdtype(x.dtype, jnp.inexact)
    lowest = jnp.asarray(-jnp.inf if inexact else jnp.iinfo(x.dtype).min, x.dtype)
    if not indices and max(dilation) == 1:  # of others JAX's own has no gradient
        pads = [(0, 0)] * len(lead)
        for n in range(count):
            end = (counts[n] - 1) * stride[n] + dilation[n] * (size[n] - 1) + 1
            pads.append((padding[n], max(end - x.shape[n - count] - padding[n], -padding[n])))
        low = -jnp.inf if inexact else int(jnp.iinfo(x.dtype).min)
        once = (1,) * len(lead)
        window = ((*once, *size), (*once, *stride), pads, None, (*once, *dilation))
        return jax.lax.reduce_window(x, low, jax.lax.max, *window)
    places = places_of(x, count, size, stride, padding, dilation, ceil_mode)
    flat, inside = jnp.zeros((), jnp.int64), jnp.ones((), bool)
    for n, place in enumerate(places):
        shape = [1] * (2 * count)
        shape[n], shape[count + n] = place.shape
        length = x.shape[n - count]
        flat = flat * length + place.reshape(shape)
        inside = inside & ((place >= 0) & (place < length)).reshape(shape)
    flat, inside = flat.reshape(math.prod(counts), -1), inside.reshape(math.prod(counts), -1)
    values = jnp.where(inside, x.reshape(*lead, -1)[..., jnp.where(inside, flat, 0)], lowest)
    chosen = jnp.argmax(values, axis=-1)
    best = jnp.take_along_axis(values, chosen[..., None], -1)[..., 0]
    where = jnp.take_along_axis(jnp.broadcast_to(flat, values.shape), chosen[..., None], -1)[..., 0]
    best = best.reshape(*lead, *counts)
    return (best, where.reshape(*lead, *counts)) if indices else best


def averaged(summed, count):
    """Integers stay integers, cut off towards zero, as torch's do."""
    if jnp.issubdtype(summed.dtype, jnp.integer):
        return jax.lax.div(summed, jnp.broadcast_to(jnp.asarray(count, summed.dtype), summed.shape))
    return summed / count


@family("1d 2d 3d", "one two three")
@rule(torch.nn.functional.max_pool1d, torch.max_pool1d)
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    return pooled_max(input, COUNTS["one"], kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@family("1d 2d 3d", "one two three")
@rule(torch.nn.functional.max_pool1d_with_indices)
def max_pool1d_with_indices(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    return pooled_max(input, COUNTS["one"], kernel_size, stride, padding, dilation, ceil_mode, True)


def pooled_mean(x, count, size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    size, stride, padding, _, counts = windows_of(x, count, size, stride, padding, 1, ceil_mode)
    lead = x.ndim - count
    pads, reach = [(0, 0)] * lead, [(0, 0)] * lead
    for n in range(count):
        length = x.shape[n - count]
        end = (counts[n] - 1) * stride[n] + size[n]
        pads.append((padding[n], max(end - length - padding[n], -padding[n])))
        reach.append((padding[n], min(padding[n], max(end - length - padding[n], -padding[n]))))
    once = (1,) * lead
    window = ((*once, *size), (*once, *stride))
    zero = 0.0 if jnp.issubdtype(x.dtype, jnp.inexact) else 0
    summed = jax.lax.reduce_window(x, zero, jax.lax.add, *window, pads)
    if divisor_override is not None:
        return averaged(summed, divisor_override)
    ones = jnp.ones(x.shape[lead:], x.dtype)
    if count_include_pad:
        ones = jnp.pad(ones, [(max(a, 0), max(b, 0)) for a, b in reach[lead:]], constant_values=1)
    rest = []
    for n in range(count):
        end = (counts[n] - 1) * stride[n] + size[n]
        before = 0 if count_include_pad else padding[n]
        rest.append((before, end - ones.shape[n] - before))
    return averaged(summed, jax.lax.reduce_window(ones, zero, jax.lax.add, size, stride, rest))


@rule(torch.nn.functional.avg_pool1d, torch.avg_pool1d)
def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    return pooled_mean(input, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


@family("2d 3d", "2, 3,")
@rule(torch.nn.functional.avg_pool2d)
def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    return pooled_mean(input, 2, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def bounds_of(length, parts):
    """Where the windows of adaptive pooling begin and end."""
    return [(part * length // parts, -(-(part + 1) * length // parts)) for part in range(parts)]


def adapted_mean(x, count, output_size):
    sizes = several(output_size, count) if output_size is not None else (None,) * count
    for n, parts in enumerate(sizes):
        axis = x.ndim - count + n
        length = x.shape[axis]
        if parts is None or parts == length:
            continue
        if length % parts == 0:
            split = (*x.shape[:axis], parts, length // parts, *x.shape[axis + 1 :])
            x = x.reshape(split).mean(axis + 1)
            continue
        pieces = [jax.lax.slice_in_dim(x, *bound, axis=axis).mean(axis) for bound in bounds_of(length, parts)]
        x = jnp.stack(pieces, axis)
    return x


@family("1d 2d 3d", "1, 2, 3,")
@rule(torch.nn.functional.adaptive_avg_pool1d)
def adaptive_avg_pool1d(input, output_size):
    return adapted_mean(input, 1, output_size)


def adapted_max(x, count, output_size, indices):
    """Window by window: torch's differ in size."""
    space = x.shape[x.ndim - count :]
    sizes = [
        length if parts is None else parts for length, parts in zip(space, several(output_size, count), strict=True)
    ]
    flat = jnp.arange(math.prod(space)).reshape(space)
    bounds = [bounds_of(length, parts) for length, parts in zip(space, sizes, strict=True)]
    best, where = [], []
    for place in numpy.ndindex(*sizes):
        window = tuple(slice(*bounds[n][index]) for n, index in enumerate(place))
        values = x[(..., *window)].reshape(*x.shape[: x.ndim - count], -1)
        chosen = jnp.argmax(values, axis=-1)
        best.append(jnp.take_along_axis(values, chosen[..., None], -1)[..., 0])
        where.append(flat[window].reshape(-1)[chosen])
    shape = (*x.shape[: x.ndim - count], *sizes)
    found = jnp.stack(best, -1).reshape(shape)
    return (found, jnp.stack(where, -1).reshape(shape)) if indices else found


@family("1d 2d 3d", "1, 2, 3,")
@rule(torch.nn.functional.adaptive_max_pool1d)
def adaptive_max_pool1d(input, output_size, return_indices=False):
    return adapted_max(input, 1, output_size, return_indices)


@family("1d 2d 3d", "1, 2, 3,")
@rule(torch.nn.functional.adaptive_max_pool1d_with_indices)
def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    return adapted_max(input, 1, output_size, True)


def pooled_power(x, count, norm_type, kernel_size, stride, ceil_mode):
    size = math.prod(several(kernel_size, count))
    powers = pooled_mean(x**norm_type, count, kernel_size, stride, 0, ceil_mode, True, None)
    return (jnp.sign(powers) * jax.nn.relu(jnp.abs(powers)) * size) ** (1.0 / norm_type)


@family("1d 2d 3d", "1, 2, 3,")
@rule(torch.nn.functional.lp_pool1d)
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return pooled_power(input, 1, norm_type, kernel_size, stride, ceil_mode)


def unpooled(x, indices, count, kernel_size, stride, padding, output_size):
    size, padding = several(kernel_size, count), several(padding, count)
    stride = size if stride is None else several(stride, count)
    lead, space = x.shape[: x.ndim - count], x.shape[x.ndim - count :]
    if output_size is None:
        output_size = [(space[n] - 1) * stride[n] - 2 * padding[n] + size[n] for n in range(count)]
    output_size = tuple(output_size)[-count:]
    rows = math.prod(lead)
    flat = jnp.zeros((rows, math.prod(output_size)), x.dtype)
    places = flat.at[jnp.arange(rows)[:, None], indices.reshape(rows, -1)]
    values = x.reshape(rows, -1)
    # a place that is named twice hands its gradient to both
    found = jax.lax.stop_gradient(places.set(values)) + places.add(values - jax.lax.stop_gradient(values))
    return found.reshape(*lead, *output_size)


@family("1d 2d 3d", "1, 2, 3,")
@rule(torch.nn.functional.max_unpool1d)
def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return unpooled(input, indices, 1, kernel_size, stride, padding, output_size)


def fractional_windows(x, count, kernel_size, output_size, output_ratio, samples):
    """The maxima over windows that differ from channel to channel, and their flat places: torch's own choice."""
    if x.ndim == count + 1:
        found = fractional_windows(x[None], count, kernel_size, output_size, output_ratio, samples)
        return found[0][0], found[1][0]
    sizes, lead = x.shape[-count:], x.shape[:-count]
    kernel = several(kernel_size, count)
    if output_size is None:
        counts = [int(size * ratio) for size, ratio in zip(sizes, several_ratios(output_ratio, count), strict=True)]
    else:
        counts = several(output_size, count)
    samples = jnp.asarray(samples).reshape(-1)[: math.prod(lead) * count].reshape(*lead, count)
    flat, strides = jnp.zeros((), jnp.int64), [math.prod(sizes[axis + 1 :]) for axis in range(count)]
    for axis in range(count):
        # of an image the first number is for the columns, of a volume for the depth
        sample = samples[..., 1 - axis if count == 2 else axis][..., None]
        last = sizes[axis] - kernel[axis]
        step = last / max(1, counts[axis] - 1)
        begin = jnp.arange(counts[axis] - 1, dtype=sample.dtype)
        starts = ((begin + sample) * step).astype(jnp.int64) - (sample * step).astype(jnp.int64)
        starts = jnp.concatenate([starts, jnp.full((*lead, 1), last)], axis=-1)
        place = starts[..., None] + jnp.arange(kernel[axis])
        shape = [*lead, *[1] * (2 * axis), counts[axis], kernel[axis], *[1] * (2 * (count - 1 - axis))]
        flat = flat + place.reshape(shape) * strides[axis]
    order = [2 * axis for axis in range(count)] + [2 * axis + 1 for axis in range(count)]
    flat = flat.transpose(*range(len(lead)), *(len(lead) + axis for axis in order)).reshape(*lead, *counts, -1)
    windows = jnp.take_along_axis(x.reshape(*lead, -1), flat.reshape(*lead, -1), axis=-1).reshape(flat.shape)
    chosen = jnp.argmax(windows, axis=-1, keepdims=True)
    return tuple(jnp.take_along_axis(part, chosen, axis=-1).squeeze(-1) for part in (windows, flat))


def several_ratios(ratio, count):
    return (ratio,) * count if isinstance(ratio, (int, float)) else tuple(ratio)


def drawn_samples(x, count, samples, rngs):
    return rngs.uniform((*x.shape[:-count], count), x.dtype) if samples is None else samples


@family("2d 3d", "two three")
@rule(torch.nn.functional.fractional_max_pool2d)
def fractional_max_pool2d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None, *, rngs
):
    samples = drawn_samples(input, COUNTS["two"], _random_samples, rngs)
    found = fractional_windows(input, COUNTS["two"], kernel_size, output_size, output_ratio, samples)
    return found if return_indices else found[0]


@family("2d 3d", "two three")
@rule(torch.nn.functional.fractional_max_pool2d_with_indices)
def fractional_max_pool2d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None, *, rngs
):
    samples = drawn_samples(input, COUNTS["two"], _random_samples, rngs)
    return fractional_windows(input, COUNTS["two"], kernel_size, output_size, output_ratio, samples)
