"""Tensors laid out by strides."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.shapes import as_strided


def laid_out(size, stride, dtype, device):
    """Memory of which nothing is said, with such strides."""
    size, stride = [int(length) for length in size], [int(step) for step in stride]
    count = 0 if 0 in size else 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    return oneflow.empty(count, dtype=dtype, device=device).as_strided(size, stride)


@rule(torch.empty_strided)
def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    return laid_out(size, stride, dtype, device)


@rule(torch.Tensor.new_empty_strided)
def new_empty_strided(self, size, stride, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    return laid_out(size, stride, dtype or self.dtype, device or self.device)


@rule(torch.empty_permuted)
def empty_permuted(
    size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    back = [list(physical_layout).index(axis) for axis in range(len(size))]
    return oneflow.empty([size[axis] for axis in physical_layout], dtype=dtype, device=device).permute(back)


@rule(torch.as_strided_copy)
def as_strided_copy(input, size, stride, storage_offset=None):
    return as_strided(input, size, stride, storage_offset).clone()


@rule(torch.unfold_copy)
def unfold_copy(input, dimension, size, step):
    if input.ndim == 0:
        return input.reshape(1)[:size].clone()
    return input.unfold(dimension % input.ndim, size, step).clone()


@rule(torch.as_strided_scatter, torch.Tensor.as_strided_scatter)
def as_strided_scatter(input, src, size, stride, storage_offset=None):
    if not input.is_contiguous():
        raise NotImplementedError("OneFlow 0.9 does not write through strides; assign by indexing: x[...] = src")
    if input.requires_grad:
        # torch hands on the gradient of what is written over, and not that of the rest
        raise NotImplementedError(
            "the gradient of what is left is another than torch's; assign by indexing: x[...] = src"
        )
    start = 0 if storage_offset is None else storage_offset - input.storage_offset()
    places = oneflow.tensor(start, dtype=oneflow.int64, device=input.device)
    for length, step in zip(size, stride, strict=True):
        steps = oneflow.arange(length, dtype=oneflow.int64, device=input.device) * step
        places = places.unsqueeze(-1) + steps
    if 0 in src.shape:
        return input.clone()
    flat, places, values = input.reshape(-1), places.reshape(-1), src.expand(tuple(size)).reshape(-1)
    nothing = oneflow.zeros_like(flat)
    written = oneflow.scatter(oneflow.zeros(flat.shape), 0, places, oneflow.ones(places.shape)) > 0
    found = oneflow.where(written, oneflow.scatter_add(nothing, 0, places, values.to(flat.dtype)), flat)
    return found.reshape(input.shape)
