"""Joins, splits, and parts of tensors."""

import oneflow
import torch

from rewriters.rule import becomes, family, rule

becomes(torch.split_copy, oneflow.split, dim="/")
becomes(torch.chunk, torch.Tensor.chunk, torch.unsafe_chunk, torch.Tensor.unsafe_chunk, oneflow.chunk, dim="/")
becomes(torch.unbind_copy, oneflow.unbind, dim="/")
becomes(torch.cat, torch.concat, torch.concatenate, oneflow.cat)
becomes(torch.stack, oneflow.stack)
becomes(torch.select, torch.Tensor.select, torch.select_copy, oneflow.select)


@rule("torch.stack:one", "torch.stack:lent")
def stack_one(tensors, dim=0):
    return oneflow.stack(tensors, dim=dim).clone()  # of one tensor OneFlow's is a view


@rule(torch.split, torch.unsafe_split, torch.Tensor.unsafe_split)
def split(input, split_size_or_sections, dim=0):
    return oneflow.split(input, split_size_or_sections, dim)


@rule(torch.Tensor.split)
def split_method(self, split_size):
    return self.split(split_size)


@rule(torch.Tensor.split)
def split_method(self, split_size, dim):
    return self.split(split_size, dim=dim)


@rule(
    torch.split_with_sizes, torch.Tensor.split_with_sizes, torch.split_with_sizes_copy,
    torch.unsafe_split_with_sizes, torch.Tensor.unsafe_split_with_sizes,
)  # fmt: skip
def split_with_sizes(input, split_sizes, dim=0):
    return oneflow.split(input, split_sizes, dim)


@rule(torch.tensor_split, torch.Tensor.tensor_split)
def tensor_split(input, indices_or_sections, dim=0):
    return cut(input, indices_or_sections, dim)


@family("tensor_indices_or_sections sections indices")
@rule(torch.tensor_split, torch.Tensor.tensor_split)
def tensor_split(input, *, tensor_indices_or_sections, dim=0):
    return cut(input, tensor_indices_or_sections, dim)


def cut(tensor, at, dim):
    """Parts of an axis: so many, or those between these places."""
    at = at.tolist() if isinstance(at, oneflow.Tensor) else at
    length = tensor.shape[dim]
    if isinstance(at, int):
        size, larger = divmod(length, at)
        at = [n * size + (n if n < larger else larger) for n in range(1, at)]
    # as slices clip: a place may lie outside
    places = [0, *(slice(place).indices(length)[1] for place in at), length]
    spans = [(a, b - a if b > a else 0) for a, b in zip(places[:-1], places[1:])]  # noqa: B905, RUF007
    return tuple(oneflow.narrow(tensor, dim, a, size) for a, size in spans)


@rule(torch.hsplit, torch.Tensor.hsplit)
def hsplit(input, indices_or_sections):
    return cut(input, indices_or_sections, 0 if input.ndim == 1 else 1)


@family("vsplit dsplit", "0 2")
@rule(torch.vsplit, torch.Tensor.vsplit)
def vsplit(input, indices_or_sections):
    return cut(input, indices_or_sections, 0)


@family("sections indices")
@rule(torch.hsplit, torch.Tensor.hsplit)
def hsplit(input, *, sections):
    return cut(input, sections, 0 if input.ndim == 1 else 1)


@family("vsplit dsplit vsplit dsplit", "sections sections indices indices", "0 2 0 2")
@rule(torch.vsplit, torch.Tensor.vsplit)
def vsplit(input, *, sections):
    return cut(input, sections, 0)


@rule(torch.narrow, torch.Tensor.narrow, torch.narrow_copy, torch.Tensor.narrow_copy)
def narrow(input, dim, start: int, length):
    if start < 0:  # which OneFlow takes for 0
        start = input.shape[dim] + start
    return oneflow.narrow(input, dim, start, length)


@rule(torch.narrow, torch.Tensor.narrow)
def narrow(input, dim, start: oneflow.Tensor, length):
    place = int(start)
    return oneflow.narrow(input, dim, input.shape[dim] + place if place < 0 else place, length)


@rule(torch.block_diag)
def block_diag(*tensors):
    blocks = [block.reshape(1, -1) if block.ndim < 2 else block for block in tensors]
    width, rows, before = sum(block.shape[1] for block in blocks), [], 0
    for block in blocks:
        after = width - before - block.shape[1]
        rows.append(oneflow.nn.functional.pad(block, (before, after)))
        before += block.shape[1]
    return oneflow.cat(rows)


@rule(torch.diff, torch.Tensor.diff)
def diff(input, n=1, dim=-1, prepend=None, append=None):
    if n == 0:
        return input
    parts = [part for part in (prepend, input, append) if part is not None]
    if len(parts) > 1:
        input = oneflow.cat([part.to(input.dtype) for part in parts], dim)
    for _ in range(n):
        length = input.shape[dim]
        if length == 0:
            return input
        later, sooner = oneflow.narrow(input, dim, 1, length - 1), oneflow.narrow(input, dim, 0, length - 1)
        input = later != sooner if input.dtype == oneflow.bool else later - sooner
    return input
