"""Joining and splitting tensors."""

import paddle
import torch

from rewriters.rule import becomes, family, rule

becomes(torch.cat, torch.concat, torch.concatenate, paddle.concat, dim="axis")
becomes(torch.stack, paddle.stack, dim="axis")
becomes(torch.vstack, torch.row_stack, paddle.vstack)
becomes(
    torch.split_with_sizes,
    torch.Tensor.split_with_sizes,
    torch.split_with_sizes_copy,
    torch.unsafe_split_with_sizes,
    torch.Tensor.unsafe_split_with_sizes,
    paddle.split,
    dim="axis",
)
becomes(torch.unbind, torch.unbind_copy, torch.Tensor.unbind, paddle.unbind, dim="axis")
becomes(torch.combinations, paddle.combinations)


@family("hstack dstack column_stack")
@rule(torch.hstack)
def hstack(tensors):
    return paddle.hstack(tensors)


@family("block cartesian", "diag prod")
@rule(torch.block_diag)
def block_diag(*tensors):
    return paddle.block_diag(list(tensors))


@rule(torch.split)
def split(tensor, split_size_or_sections: list | tuple, dim=0):
    return paddle.split(tensor, split_size_or_sections, axis=dim)


@rule(torch.split)
def split(tensor, split_size_or_sections, dim=0):
    # paddle.split takes the number of pieces, torch's their size
    return paddle.compat.split(tensor, split_size_or_sections, dim=dim)


@rule(torch.Tensor.split)
def split(self, split_size: list | tuple, dim=0):
    return paddle.split(self, split_size, axis=dim)


@rule(torch.Tensor.split, torch.unsafe_split, torch.Tensor.unsafe_split, torch.split_copy)
def split(input, split_size, dim=0):
    return paddle.compat.split(input, split_size, dim=dim)


@rule(torch.chunk, torch.Tensor.chunk, torch.unsafe_chunk, torch.Tensor.unsafe_chunk)
def chunk(input, chunks, dim=0):
    if input.shape[dim] % chunks == 0:
        return paddle.chunk(input, chunks, axis=dim)
    # paddle.chunk wants chunks of one size
    return paddle.compat.split(input, -(-input.shape[dim] // chunks), dim=dim)


@rule(torch.tensor_split, torch.Tensor.tensor_split)
def tensor_split(input, sections: int | list | tuple, dim=0):
    return paddle.tensor_split(input, sections, axis=dim)


@rule(torch.tensor_split, torch.Tensor.tensor_split)
def tensor_split(input, sections: paddle.Tensor, dim=0):
    return paddle.tensor_split(input, sections.tolist(), axis=dim)


@rule(torch.tensor_split, torch.Tensor.tensor_split)
def tensor_split(input, *, indices: list | tuple, dim=0):
    return paddle.tensor_split(input, indices, axis=dim)


@rule(torch.tensor_split, torch.Tensor.tensor_split)
def tensor_split(input, *, tensor_indices_or_sections: paddle.Tensor, dim=0):
    return paddle.tensor_split(input, tensor_indices_or_sections.tolist(), axis=dim)


@family("hsplit vsplit dsplit")
@rule(torch.hsplit, torch.Tensor.hsplit)
def hsplit(input, sections):
    return paddle.hsplit(input, sections)


@family("hsplit vsplit dsplit")
@rule(torch.Tensor.hsplit)
def hsplit(self, *indices: int):
    return paddle.hsplit(self, indices[0] if len(indices) == 1 else indices)
