"""Diagonals of matrices."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.Tensor.diagonal)
def diagonal_method(self, offset=0, dim1=0, dim2=1):
    if offset == 0 and dim1 == 0 and dim2 == 1:
        return self.diagonal()
    return along(self, offset, dim1, dim2)


@rule(torch.diagonal, torch.diagonal_copy)
def diagonal(input, offset=0, dim1=0, dim2=1):
    if offset == 0 and dim1 == 0 and dim2 == 1:
        return oneflow.diagonal(input)
    return along(input, offset, dim1, dim2)


def along(input, offset, dim1, dim2):
    """OneFlow's own, of a part: for other axes than the first it has a wrong gradient, and with an offset too."""
    first, second = dim1 % input.ndim, dim2 % input.ndim
    low, right = max(-offset, 0), max(offset, 0)
    others = [axis for axis in range(input.ndim) if axis not in (first, second)]
    if low >= input.shape[first] or right >= input.shape[second]:
        return oneflow.zeros([*[input.shape[axis] for axis in others], 0], dtype=input.dtype, device=input.device)
    part = input.permute(first, second, *others)
    return oneflow.diagonal(part[low:, right:] if offset else part)


@rule(torch.diag_embed, torch.Tensor.diag_embed)
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    count = input.ndim + 1
    first, second = dim1 % count, dim2 % count
    size = input.shape[-1] + abs(offset)
    step = offset if first < second else -offset
    low, right = max(-step, 0), max(step, 0)
    length = input.shape[-1]
    square = input.unsqueeze(-1) * oneflow.eye(length, dtype=input.dtype, device=input.device)
    square = oneflow.nn.functional.pad(square, (right, size - right - length, low, size - low - length))
    low_axis, high_axis = min(first, second), max(first, second)
    order = list(range(count - 2))
    order.insert(low_axis, count - 2)
    order.insert(high_axis, count - 1)
    return square.permute(*order)


@rule(torch.diagflat, torch.Tensor.diagflat)
def diagflat(input, offset=0):
    return oneflow.diag(input.reshape(-1), offset)


@rule(torch.diagonal_scatter, torch.Tensor.diagonal_scatter)
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    first, second = dim1 % input.ndim, dim2 % input.ndim
    others = [axis for axis in range(input.ndim) if axis not in (first, second)]
    order = [*others, first, second]
    moved = input.permute(*order)
    rows, columns = moved.shape[-2:]
    low, right = max(-offset, 0), max(offset, 0)
    places = [(low + n) * columns + right + n for n in range(src.shape[-1])]
    index = oneflow.tensor(places, dtype=oneflow.int64, device=input.device)
    flat = moved.reshape([*moved.shape[:-2], rows * columns])
    index = index.reshape([1] * len(others) + [-1]).expand(src.shape)
    found = oneflow.scatter(flat, len(others), index, src).reshape(moved.shape)
    return found.permute(*[order.index(axis) for axis in range(input.ndim)])


@rule(torch.Tensor.fill_diagonal_)
def fill_diagonal_(self, fill_value, wrap=False):
    if wrap and self.ndim == 2:  # of tall matrices it begins anew below
        width = self.shape[1]
        for place in range(0, self.shape[0] * width, width + 1):
            self[place // width, place % width] = fill_value
        return self
    for place in range(min(self.shape)):
        self[(place,) * self.ndim] = fill_value
    return self
