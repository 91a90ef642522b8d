"""Joining and splitting."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import alias, becomes, family, rule
from rewriters.targets.jax.rules.promoted_dtypes import all_alike

becomes(torch.cat, torch.concat, torch.concatenate, jnp.concatenate, dim="axis")
becomes(torch.stack, jnp.stack, dim="axis")
becomes(torch.unbind, torch.Tensor.unbind, torch.unbind_copy, jnp.unstack, dim="axis")

alias(torch.Tensor, "jax.Array")


@rule("torch.cat:empties", "torch.concat:empties", "torch.concatenate:empties")
def cat_past_empties(tensors, dim=0):
    tensors = all_alike(tensors)
    kept = [part for part in tensors if part.ndim != 1 or part.shape[0] > 0]
    return jnp.concatenate(kept, axis=dim) if kept else tensors[0]


@family("hstack vstack dstack column_stack")
@rule(torch.hstack)
def hstack(tensors):
    return jnp.hstack(tensors)


@rule(torch.chunk, torch.Tensor.chunk, torch.unsafe_chunk, torch.Tensor.unsafe_chunk)
def chunk(input, chunks, dim=0):
    return split_into(input, -(-input.shape[dim] // chunks), dim)


def split_into(x, size, dim):
    """Pieces of a size, or of sizes, along an axis."""
    length = x.shape[dim]
    if isinstance(size, int):
        ends = list(range(size, length, size)) if size else []
    else:
        ends = [sum(size[: n + 1]) for n in range(len(size) - 1)]
        if sum(size) != length:
            raise RuntimeError(f"split expects sizes that sum to {length}, not {list(size)}")
    return tuple(jnp.split(x, ends, axis=dim))


@rule(torch.split, torch.Tensor.split)
def split(tensor, split_size_or_sections, dim=0):
    return split_into(tensor, split_size_or_sections, dim)


@rule(torch.unsafe_split, torch.Tensor.unsafe_split)
def unsafe_split(input, split_size, dim=0):
    return split_into(input, split_size, dim)


@rule(
    torch.split_with_sizes, torch.Tensor.split_with_sizes, torch.split_with_sizes_copy, torch.split_copy,
    torch.unsafe_split_with_sizes, torch.Tensor.unsafe_split_with_sizes,
)  # fmt: skip
def split_with_sizes(input, split_sizes, dim=0):
    return split_into(input, split_sizes, dim)


@rule(torch.tensor_split, torch.Tensor.tensor_split)
def tensor_split(input, indices_or_sections, dim=0):
    places = indices_or_sections
    places = places if isinstance(places, int) else places.tolist() if hasattr(places, "tolist") else list(places)
    return tuple(jnp.array_split(input, places, axis=dim))


@family("hsplit vsplit dsplit")
@rule(torch.hsplit, torch.Tensor.hsplit)
def hsplit(input, indices_or_sections):
    places = indices_or_sections
    return tuple(jnp.hsplit(input, places if isinstance(places, int) else list(places)))


@rule(torch.meshgrid)
def meshgrid(*tensors, indexing="ij"):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    return tuple(jnp.meshgrid(*map(jnp.atleast_1d, tensors), indexing=indexing or "ij"))


@rule(torch.cartesian_prod)
def cartesian_prod(*tensors):
    if len(tensors) == 1:
        return tensors[0]
    return jnp.stack(jnp.meshgrid(*tensors, indexing="ij"), -1).reshape(-1, len(tensors))


@rule(torch.combinations)
def combinations(input, r=2, with_replacement=False):
    places = jnp.indices((input.shape[0],) * r).reshape(r, -1).T
    later = jnp.greater_equal if with_replacement else jnp.greater
    kept = jnp.ones(places.shape[0], bool)
    for n in range(r - 1):
        kept &= later(places[:, n + 1], places[:, n])
    return input[places[kept]] if r else jnp.zeros((0,), input.dtype)


@rule(torch.block_diag)
def block_diag(*tensors):
    return jax.scipy.linalg.block_diag(*tensors)


@rule(torch.row_stack)
def row_stack(tensors):
    return jnp.vstack(tensors)
