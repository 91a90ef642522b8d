"""Writing elements: by index, by mask, along an axis. What is given stays as it was; the result is another array."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import ComplexTensor, FloatTensor, rule

REDUCED = {
    "add": "add", "sum": "add", "multiply": "multiply", "prod": "multiply", "amax": "max", "amin": "min",
}  # fmt: skip


def is_nothing(part):
    """Whether a part of an index picks nothing; what is compiled is not looked at."""
    if isinstance(part, jax.core.Tracer) or not hasattr(part, "size"):
        return False
    return part.size == 0 or (part.dtype == bool and not part.any())


def reached(stored, index, value):
    """What was stored into. Where that was no place at all, JAX leaves the value out: gradients still go back to it,
    zeros, as torch's do.
    """
    picks_nothing = any(map(is_nothing, index if isinstance(index, tuple) else (index,)))
    if not (isinstance(value, jax.Array) and (picks_nothing or not value.size)):
        return stored
    if not jnp.issubdtype(value.dtype, jnp.inexact) or not jnp.issubdtype(stored.dtype, jnp.inexact):
        return stored
    return jnp.where(True, stored, value.sum().astype(stored.dtype))


@rule("torch.Tensor.__setitem__:picked")
def stored_at(whole, index, value):
    return reached(whole.at[index].set(value), index, value)


def places_along(x, dim, index):
    """A place of x for each element of the index."""
    axes = jnp.ogrid[tuple(slice(size) for size in index.shape)]
    axis = dim % x.ndim
    return tuple(index if n == axis else places for n, places in enumerate(axes))


def scattered(x, dim, index, source, reduce=None):
    """x with the source's elements where the index says, stored, or combined with what is there."""
    if x.ndim == 0:
        return scattered(x[None], 0, jnp.reshape(index, -1), jnp.reshape(jnp.asarray(source), -1), reduce)[0]
    if isinstance(source, jax.Array) and source.ndim:
        source = source[tuple(slice(size) for size in index.shape)]
    where = x.at[places_along(x, dim, index)]
    source = jnp.asarray(source, x.dtype)
    if REDUCED.get(reduce) == "multiply":
        return reached(multiplied(x, dim % x.ndim, index, source), index, source)
    return reached(getattr(where, REDUCED[reduce])(source) if reduce else where.set(source), index, source)


def multiplied(x, axis, index, source):
    """One step of the index after the other: within one no place is named twice, which its gradient needs."""
    places, source = places_along(x, axis, index), jnp.broadcast_to(source, index.shape)
    for step in range(index.shape[axis]):
        one = (slice(None),) * axis + (slice(step, step + 1),)
        where = tuple(place[one] if n == axis or place.shape[axis] > 1 else place for n, place in enumerate(places))
        x = x.at[where].multiply(source[one], unique_indices=True)
    return x


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input, dim, index, src, *, reduce=None):
    return scattered(input, dim, index, src, reduce)


@rule(torch.scatter, torch.Tensor.scatter)
def scatter(input, dim, index, *, value, reduce=None):
    return scattered(input, dim, index, value, reduce)


@rule(torch.scatter_add, torch.Tensor.scatter_add)
def scatter_add(input, dim, index, src):
    return scattered(input, dim, index, src, "add")


@rule(torch.scatter_reduce, torch.Tensor.scatter_reduce)
def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    return reduced_into(input, dim, index, src, reduce, include_self)


def reduced_into(x, dim, index, source, reduce, include_self):
    if x.ndim == 0:
        return reduced_into(x[None], 0, index.reshape(-1), source.reshape(-1), reduce, include_self)[0]
    given = jnp.ones(index.shape, jnp.int64)
    hits = scattered(jnp.zeros(x.shape, jnp.int64), dim, index, given, "add")
    start = {"sum": 0, "mean": 0, "prod": 1}
    if include_self:
        base = x
    elif reduce in start:
        base = jnp.where(hits > 0, jnp.asarray(start[reduce], x.dtype), x)
    else:  # what is there is first made the worst
        inexact = jnp.issubdtype(x.dtype, jnp.inexact)
        limits = (-jnp.inf, jnp.inf) if inexact else (jnp.iinfo(x.dtype).min, jnp.iinfo(x.dtype).max)
        base = jnp.where(hits > 0, jnp.asarray(limits[reduce == "amin"], x.dtype), x)
    found = scattered(base, dim, index, source, "sum" if reduce == "mean" else reduce)
    if reduce != "mean":
        return found
    counts = jnp.maximum(hits + include_self, 1)
    if jnp.issubdtype(x.dtype, jnp.integer):
        return jnp.floor_divide(found, counts).astype(x.dtype)
    return found / counts.astype(x.dtype)


def along(dim, index):
    return (slice(None),) * dim + (index,)


@rule(torch.index_add, torch.Tensor.index_add)
def index_add(input, dim, index, source, *, alpha=1):
    if input.ndim == 0:
        return input + alpha * source.sum()
    found = input.at[along(dim % input.ndim, index)].add((alpha * source).astype(input.dtype))
    return reached(found, index, source)


@rule(torch.index_copy, torch.Tensor.index_copy)
def index_copy(input, dim, index, source):
    if input.ndim == 0:
        return source.reshape(())
    return reached(input.at[along(dim % input.ndim, index)].set(source), index, source)


@rule(torch.index_fill, torch.Tensor.index_fill)
def index_fill(input, dim, index, value):
    return filled_along(input, dim, index, value)


def filled_along(x, dim, index, value):
    if x.ndim == 0:
        return jnp.full_like(x, value)
    return x.at[along(dim % x.ndim, index)].set(jnp.asarray(value, x.dtype))


@rule(torch.index_reduce, torch.Tensor.index_reduce)
def index_reduce(input, dim, index, source, reduce, *, include_self=True):
    if input.ndim == 0:
        return reduced_into(input, 0, index, source.reshape(1), reduce, include_self)
    axis = dim % max(input.ndim, 1)
    places = jnp.expand_dims(index, tuple(n for n in range(max(source.ndim, 1)) if n != axis))
    return reduced_into(input, axis, jnp.broadcast_to(places, source.shape), source, reduce, include_self)


@rule(torch.index_put, torch.Tensor.index_put)
def index_put(input, indices, values, accumulate=False):
    where = input.at[tuple(slice(None) if place is None else place for place in indices)]
    return reached(where.add(values) if accumulate else where.set(values), tuple(indices), values)


@rule(torch.masked_fill, torch.Tensor.masked_fill)
def masked_fill(input: FloatTensor | ComplexTensor, mask, value: bool | int | float):
    return jnp.where(mask, value, input)


@rule(torch.masked_fill, torch.Tensor.masked_fill)
def masked_fill(input, mask, value: bool | int | float):
    return jnp.where(mask, jnp.array(value, input.dtype), input)


@rule(torch.masked_fill, torch.Tensor.masked_fill)
def masked_fill(input, mask, value):
    # the tensor's dtype, whatever the value's
    return jnp.where(mask, jnp.asarray(value).astype(input.dtype), input)


@rule(torch.masked_scatter, torch.Tensor.masked_scatter)
def masked_scatter(input, mask, source):
    x, kept = jnp.broadcast_arrays(input, mask)
    if source.size == 0:
        return reached(x, (), source)
    order = jnp.cumsum(kept.reshape(-1)) - 1
    return jnp.where(kept, source.reshape(-1)[jnp.maximum(order, 0)].reshape(x.shape), x)


@rule(torch.put, torch.Tensor.put)
def put(input, index, source, accumulate=False):
    where = input.reshape(-1).at[index.reshape(-1)]
    found = where.add(source.reshape(-1)) if accumulate else where.set(source.reshape(-1))
    return found.reshape(input.shape)


@rule(torch.select_scatter, torch.Tensor.select_scatter)
def select_scatter(input, src, dim, index):
    return input.at[along(dim % input.ndim, index)].set(src)


@rule(torch.slice_scatter, torch.Tensor.slice_scatter)
def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    return input.at[along(dim % input.ndim, slice(start, end, step))].set(src)


@rule(torch.diagonal_scatter, torch.Tensor.diagonal_scatter)
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    moved = jnp.moveaxis(input, (dim1, dim2), (-2, -1))
    rows = jnp.arange(src.shape[-1]) + max(-offset, 0)
    return jnp.moveaxis(moved.at[..., rows, rows + offset].set(src), (-2, -1), (dim1, dim2))


@rule(torch.as_strided_scatter, torch.Tensor.as_strided_scatter)
def as_strided_scatter(input, src, size, stride, storage_offset=None):
    places = jnp.asarray(storage_offset or 0)
    for length, step in zip(size, stride, strict=True):
        places = places[..., None] + jnp.arange(length) * step
    return input.reshape(-1).at[places].set(src).reshape(input.shape)
