"""torch.nn.functional: linear maps, embeddings, padding, sampling and folding."""

import math

import oneflow
import torch

from rewriters.rule import Rank, becomes, rule

becomes(torch.nn.functional.linear, oneflow.nn.functional.linear, bias="/")


@rule(torch.nn.functional.embedding)
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if padding_idx is not None and padding_idx < 0:
        padding_idx = weight.shape[0] + padding_idx
    return oneflow.nn.functional.embedding(
        input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse
    )


@rule(torch.nn.functional.pad)
def pad(input, pad: list | tuple, mode="constant", value=None):
    if mode == "constant":
        return oneflow.nn.functional.pad(input, pad, value=0.0 if value is None else value)
    return padded(input, pad, mode)


@rule(torch.nn.functional.pad)
def pad(input, pad, mode="constant", value=None):
    if mode == "constant":
        return oneflow.nn.functional.pad(input, pad, value=0.0 if value is None else value)
    return padded(input, pad, mode)


def padded(input, pad, mode):
    """Axis by axis, by the indices that each place of the result takes its values from."""
    for place in range(len(pad) // 2):
        axis = input.ndim - 1 - place
        before, after, length = pad[2 * place], pad[2 * place + 1], input.shape[axis]
        if before == after == 0:
            continue
        if mode == "circular" and (before < 0 or after < 0):  # cut off before the rest is filled
            low, high = (-before if before < 0 else 0), (-after if after < 0 else 0)
            length = length - low - high
            input = oneflow.narrow(input, axis, low, length)
            before, after = before + low, after + high
        places = range(-before, length + after)
        if mode == "replicate":
            taken = [0 if n < 0 else length - 1 if n >= length else n for n in places]
        elif mode == "reflect":
            taken = [-n if n < 0 else 2 * length - 2 - n if n >= length else n for n in places]
        else:
            taken = [n % length for n in places]
        index = oneflow.tensor(taken, dtype=oneflow.int64, device=input.device)
        input = oneflow.index_select(input, axis, index)
    return input


@rule(torch.nn.functional.interpolate)
def interpolate(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None,
    antialias=False,
):  # fmt: skip
    if antialias:
        raise NotImplementedError("OneFlow 0.9's interpolate has no antialias; blur before")
    if recompute_scale_factor and size is None:
        factors = [scale_factor] * (input.ndim - 2) if isinstance(scale_factor, (int, float)) else scale_factor
        size, scale_factor = [math.floor(n * f) for n, f in zip(input.shape[2:], factors)], None  # noqa: B905
    if mode == "nearest-exact":
        return nearest_exact(input, size, scale_factor)
    if align_corners is None:
        return oneflow.nn.functional.interpolate(input, size=size, scale_factor=scale_factor, mode=mode)
    return oneflow.nn.functional.interpolate(
        input, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners
    )


def nearest_exact(input, size, scale_factor):
    """The nearest pixel's value by pixel centres, axis by axis."""
    for n in range(input.ndim - 2):
        length = input.shape[2 + n]
        if size is None:
            factor = scale_factor if isinstance(scale_factor, (int, float)) else scale_factor[n]
            after, ratio = math.floor(length * factor), 1 / factor
        else:
            after = size if isinstance(size, int) else size[n]
            ratio = length / after
        taken = [int((place + 0.5) * ratio) for place in range(after)]
        taken = [length - 1 if place >= length else place for place in taken]
        index = oneflow.tensor(taken, dtype=oneflow.int64, device=input.device)
        input = oneflow.index_select(input, 2 + n, index)
    return input


@rule(torch.nn.functional.upsample)
def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    if align_corners is None:
        return oneflow.nn.functional.interpolate(input, size=size, scale_factor=scale_factor, mode=mode)
    return oneflow.nn.functional.interpolate(
        input, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners
    )


@rule(torch.nn.functional.upsample_nearest)
def upsample_nearest(input, size=None, scale_factor=None):
    return oneflow.nn.functional.interpolate(input, size=size, scale_factor=scale_factor, mode="nearest")


@rule(torch.nn.functional.upsample_bilinear)
def upsample_bilinear(input, size=None, scale_factor=None):
    return oneflow.nn.functional.interpolate(
        input, size=size, scale_factor=scale_factor, mode="bilinear", align_corners=True
    )


@rule(torch.nn.functional.affine_grid)
def affine_grid(theta, size, align_corners=None):
    return oneflow.nn.functional.affine_grid(theta, size, align_corners=bool(align_corners))


@rule(torch.nn.functional.fold)
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    rows = input.unsqueeze(0) if input.ndim == 2 else input
    found = oneflow.nn.functional.fold(rows, output_size, kernel_size, dilation, padding, stride)
    return found.squeeze(0) if input.ndim == 2 else found


@rule(torch.nn.functional.unfold)
def unfolded_images(input: Rank[3], kernel_size, dilation=1, padding=0, stride=1):
    return oneflow.nn.functional.unfold(input.unsqueeze(0), kernel_size, dilation, padding, stride).squeeze(0)


@rule(torch.nn.functional.unfold)
def unfolded_images(input, kernel_size, dilation=1, padding=0, stride=1):
    return oneflow.nn.functional.unfold(input, kernel_size, dilation, padding, stride)
