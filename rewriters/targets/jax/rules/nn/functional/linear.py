"""torch.nn.functional: products with weights, embeddings."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule


@rule(torch.nn.functional.linear)
def linear(input, weight, bias=None):
    if bias is None:
        return input @ weight.T
    return input @ weight.T + bias


@rule(torch.nn.functional.bilinear, torch.bilinear)
def bilinear(input1, input2, weight, bias=None):
    found = jnp.einsum("...i,oij,...j->...o", input1, weight, input2)
    return found if bias is None else found + bias


@rule(torch.nn.functional.embedding)
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if max_norm is not None or scale_grad_by_freq:
        raise NotImplementedError("JAX has no such embedding; normalise the weight, scale the gradient yourself")
    if padding_idx is None:
        return weight[input]
    # the row of the padding takes no gradient
    row = padding_idx % weight.shape[0]
    found = weight[input]
    return jnp.where((input == row)[..., None], jax.lax.stop_gradient(found), found)


@rule(torch.nn.functional.embedding_bag)
def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    if max_norm is not None or scale_grad_by_freq:
        raise NotImplementedError("JAX has no embedding_bag; normalise the weight, scale the gradient yourself")
    if jnp.issubdtype(input.dtype, jnp.floating):
        input, weight = weight, input  # torch takes them in either order
    if input.ndim == 2:
        bags, count = jnp.repeat(jnp.arange(input.shape[0]), input.shape[1]), input.shape[0]
    else:
        ends = offsets[:-1] if include_last_offset else offsets
        bags = jnp.searchsorted(ends, jnp.arange(input.shape[0]), side="right") - 1
        count = ends.shape[0]
    places = input.reshape(-1)
    rows = weight[places]
    kept = jnp.ones(places.shape, bool) if padding_idx is None else places != padding_idx % weight.shape[0]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1, 1)
    if mode == "max":
        lowest = jax.ops.segment_max(jnp.where(kept[:, None], rows, -jnp.inf), bags, count)
        return jnp.where(jnp.isinf(lowest), 0, lowest)
    summed = jax.ops.segment_sum(jnp.where(kept[:, None], rows, 0), bags, count)
    if mode == "sum":
        return summed
    return summed / jnp.maximum(jax.ops.segment_sum(kept.astype(weight.dtype), bags, count), 1)[:, None]


@rule(torch.nn.functional.one_hot)
def one_hot(tensor, num_classes=-1):
    if num_classes == -1:
        return jax.nn.one_hot(tensor, int(tensor.max()) + 1, dtype=jnp.int64)
    return jax.nn.one_hot(tensor, num_classes, dtype=jnp.int64)


@rule(torch.nn.functional.grouped_mm)
def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    # What comes after the last group is whatever memory holds in torch, and zeros here.
    if offs is None:
        return mat_a @ mat_b
    mat_a, mat_b = jnp.asarray(mat_a), jnp.asarray(mat_b)  # of parameters
    sizes = jnp.diff(offs, prepend=0).astype(jnp.int32)
    if mat_a.ndim == 2 and mat_b.ndim == 2:
        numbers = jax.lax.RaggedDotDimensionNumbers((((1,), (0,)), ((), ())), (1,), ())
        return jax.lax.ragged_dot_general(mat_a, mat_b, sizes, numbers)
    if mat_a.ndim == 2:
        return jax.lax.ragged_dot(mat_a, mat_b, sizes)
    return jax.lax.ragged_dot(mat_b.T, mat_a.mT, sizes).T
