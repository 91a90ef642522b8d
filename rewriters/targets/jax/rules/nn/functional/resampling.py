"""torch.nn.functional: padding, other sizes, sampling by a grid."""

import itertools

import jax.numpy as jnp
import torch

from rewriters.rule import rule

MODES = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


@rule(torch.nn.functional.pad)
def pad(input, pad, mode="constant", value=None):
    return padded(input, pad, mode, value)


def padded(input, pad, mode, value):
    pairs = [(pad[n], pad[n + 1]) for n in range(0, len(pad), 2)][::-1]
    whole = [(0, 0)] * (input.ndim - len(pairs)) + pairs
    # less than none is cut off
    cut = tuple(slice(max(-low, 0), size - max(-high, 0)) for size, (low, high) in zip(input.shape, whole, strict=True))
    grown = [(max(low, 0), max(high, 0)) for low, high in whole]
    if mode == "constant":
        return jnp.pad(input[cut], grown, constant_values=0 if value is None else value)
    return jnp.pad(input[cut], grown, mode=MODES[mode])


def taps(length, size, scale, mode, align):
    """Of an axis: places [size, taps] and their weights."""
    if mode in ("nearest", "nearest-exact"):
        step = jnp.float32(1 / scale if scale else length / size)
        offset = 0.5 if mode == "nearest-exact" else 0.0
        places = jnp.floor((jnp.arange(size, dtype=jnp.float32) + jnp.float32(offset)) * step).astype(jnp.int64)
        return jnp.minimum(places, length - 1)[:, None], jnp.ones((size, 1))
    if mode == "area":
        raise NotImplementedError("of mode area torch takes an adaptive average: call adaptive_avg_pool")
    if align:
        at = jnp.arange(size) * ((length - 1) / (size - 1) if size > 1 else 0.0)
    else:
        at = (jnp.arange(size) + 0.5) * (1 / scale if scale else length / size) - 0.5
        at = jnp.maximum(at, 0) if mode == "linear" else at
    low = jnp.floor(at)
    part = (at - low)[:, None]
    first = low.astype(jnp.int64)[:, None]
    if mode == "linear":
        places = jnp.minimum(first + jnp.arange(2), length - 1)
        return places, jnp.concatenate([1 - part, part], 1)
    return jnp.clip(first + jnp.arange(-1, 3), 0, length - 1), cubic(part)


def cubic(part):
    """The weights of four places around one, Keys' with -0.75."""
    a = -0.75
    inner = lambda t: ((a + 2) * t - (a + 3)) * t * t + 1  # noqa: E731
    outer = lambda t: ((a * t - 5 * a) * t + 8 * a) * t - 4 * a  # noqa: E731
    return jnp.concatenate([outer(part + 1), inner(part), inner(1 - part), outer(2 - part)], 1)


KINDS = {"bilinear": "linear", "trilinear": "linear"}


@rule(torch.nn.functional.interpolate, torch.nn.functional.upsample)
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    if antialias:
        raise NotImplementedError("antialias has no counterpart; use jax.image.resize, whose values differ a little")
    count = input.ndim - 2
    scales = list(scale_factor) if isinstance(scale_factor, (list, tuple)) else [scale_factor] * count
    if size is None:
        sizes = [int(length * scale) for length, scale in zip(input.shape[2:], scales, strict=True)]
        scales = [None] * count if recompute_scale_factor else scales
    else:
        sizes, scales = list(size) if isinstance(size, (list, tuple)) else [size] * count, [None] * count
    found = input
    for n in range(count):
        axis = 2 + n
        if mode == "area":
            ends = [
                (k * found.shape[axis] // sizes[n], -(-(k + 1) * found.shape[axis] // sizes[n]))
                for k in range(sizes[n])
            ]
            found = jnp.stack([jnp.take(found, jnp.arange(*pair), axis=axis).mean(axis) for pair in ends], axis)
            continue
        kind = KINDS.get(mode, "cubic" if mode == "bicubic" else mode)
        places, weights = taps(found.shape[axis], sizes[n], scales[n], kind, bool(align_corners))
        rows = jnp.take(found, places, axis=axis)
        if kind.startswith("nearest"):
            found = rows.squeeze(axis + 1)
        else:
            weights = weights.reshape(*weights.shape, *[1] * (count - n - 1)).astype(input.dtype)
            found = (rows * weights).sum(axis + 1)
    return found


@rule(torch.nn.functional.upsample_nearest)
def upsample_nearest(input, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor, "nearest")


@rule(torch.nn.functional.upsample_bilinear)
def upsample_bilinear(input, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor, "bilinear", align_corners=True)


@rule(torch.nn.functional.affine_grid)
def affine_grid(theta, size, align_corners=None):
    axes = []
    for length in size[2:]:
        line = jnp.linspace(-1, 1, length) if length > 1 else jnp.zeros(1)
        axes.append(line if align_corners else line * (length - 1) / length)
    grid = jnp.stack([*jnp.meshgrid(*axes, indexing="ij")][::-1], -1).astype(theta.dtype)
    points = jnp.concatenate([grid, jnp.ones((*grid.shape[:-1], 1), theta.dtype)], -1)
    return jnp.einsum("...p,nqp->n...q", points, theta)


def reflected(at, low, high):
    """Places thrown back at both borders."""
    span = high - low
    if span == 0:
        return jnp.zeros_like(at)
    over = jnp.abs(at - low)
    rest = over % span
    return jnp.where((over // span) % 2 == 0, rest + low, span - rest + low)


def picked(x, places, inside):
    """Of each sample what lies at its places: [batch, channels, *places]."""
    batch = jnp.arange(x.shape[0]).reshape(-1, *[1] * (places[0].ndim - 1))
    found = jnp.moveaxis(x, 1, -1)[(batch, *places)]
    return jnp.moveaxis(jnp.where(inside[..., None], found, 0), -1, 1)


@rule(torch.nn.functional.grid_sample)
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    space = input.shape[2:]
    at = []
    for n, length in enumerate(space):
        place = grid[..., len(space) - 1 - n]
        at.append((place + 1) / 2 * (length - 1) if align_corners else ((place + 1) * length - 1) / 2)

    def kept(place, length):
        if padding_mode == "border":
            return jnp.clip(place, 0, length - 1)
        if padding_mode == "reflection":
            low, high = (0, length - 1) if align_corners else (-0.5, length - 0.5)
            return jnp.clip(reflected(place, low, high), 0, length - 1)
        return place

    def taken(places):
        inside = jnp.ones(places[0].shape, bool)
        for place, length in zip(places, space, strict=True):
            inside &= (place >= 0) & (place < length)
        whole = [jnp.clip(place, 0, length - 1) for place, length in zip(places, space, strict=True)]
        return picked(input, [jnp.nan_to_num(place).astype(jnp.int64) for place in whole], inside)

    if mode == "bicubic":
        lows = [jnp.floor(place) for place in at]
        weights = [
            cubic((place - low).reshape(-1, 1)).reshape(*place.shape, 4) for place, low in zip(at, lows, strict=True)
        ]
        found = 0
        for steps in itertools.product(range(4), repeat=len(space)):
            places = [kept(low + step - 1, length) for low, step, length in zip(lows, steps, space, strict=True)]
            weight = 1
            for n, step in enumerate(steps):
                weight = weight * weights[n][..., step]
            found = found + taken(places) * weight[:, None]
        return found
    at = [kept(place, length) for place, length in zip(at, space, strict=True)]
    if mode == "nearest":
        return taken([jnp.round(place) for place in at])
    lows = [jnp.floor(place) for place in at]
    found = 0
    for steps in itertools.product(range(2), repeat=len(space)):
        weight = 1
        for place, low, step in zip(at, lows, steps, strict=True):
            weight = weight * (place - low if step else low + 1 - place)
        found = found + taken([low + step for low, step in zip(lows, steps, strict=True)]) * weight[:, None]
    return found
