"""Items, conditions, places; selecting along an axis. Out of bounds JAX clamps, where torch raises."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import becomes, rule
from rewriters.targets.jax.rules.promoted_dtypes import alike

becomes(torch.select, torch.select_copy, torch.Tensor.select, jnp.take, dim="axis")
becomes(torch.argwhere, torch.Tensor.argwhere, jnp.argwhere)


@rule(torch.where)
def where(condition):
    return jnp.nonzero(condition)


@rule(torch.where)
def where(condition, input, other):
    return jnp.where(condition, input, other)


@rule(torch.where)
def where(condition, input: bool | int | float, other: bool | int | float):
    return jnp.where(condition, *alike(input, other))


@rule(torch.Tensor.where)
def where(self, condition, other):
    return jnp.where(condition, self, other)


@rule("torch.where:mixed", "torch.where:widths")
def promoted_where(condition, input, other):
    return jnp.where(condition, *alike(input, other))


@rule("torch.Tensor.where:mixed", "torch.Tensor.where:widths")
def promoted_where_method(self, condition, other):
    return jnp.where(condition, *alike(self, other))


@rule(torch.masked_select, torch.Tensor.masked_select)
def masked_select(input, mask):
    x, kept = jnp.broadcast_arrays(input, mask)
    return x[kept]


@rule(torch.narrow, torch.narrow_copy, torch.Tensor.narrow, torch.Tensor.narrow_copy)
def narrow(input, dim, start, length):
    start = int(start) % input.shape[dim] if input.shape[dim] and start < 0 else int(start)
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, start + length),)]


@rule(torch.slice_copy)
def slice_copy(input, dim=0, start=None, end=None, step=1):
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]


@rule(torch.nonzero, torch.Tensor.nonzero)
def nonzero(input, *, as_tuple=False):
    return jnp.nonzero(input) if as_tuple else jnp.argwhere(input)


@rule(torch.nonzero_static, torch.Tensor.nonzero_static)
def nonzero_static(input, *, size, fill_value=-1):
    return jnp.argwhere(input, size=size, fill_value=fill_value)


@rule(torch.unravel_index)
def unravel_index(indices, shape):
    return jnp.unravel_index(indices, (shape,) if isinstance(shape, int) else tuple(shape))


@rule(torch.gather, torch.Tensor.gather)
def gather(input, dim, index, *, sparse_grad=False):
    # torch's index may be shorter than the input, and is not broadcast
    if input.ndim == 0 or index.ndim == 0:
        return input.reshape(-1)[index]
    axis = dim % input.ndim
    kept = tuple(slice(None) if n == axis else slice(size) for n, size in enumerate(index.shape))
    return jnp.take_along_axis(input[kept], index, axis)


@rule(torch.take_along_dim, torch.Tensor.take_along_dim)
def take_along_dim(input, indices, dim=None):
    if dim is None:
        return jnp.take_along_axis(input.reshape(-1), indices.reshape(-1), 0)
    return jnp.take_along_axis(input, indices, dim)


@rule(torch.index_select, torch.Tensor.index_select)
def index_select(input, dim, index):
    if input.ndim == 0:
        return input.reshape(-1)[index].reshape(())
    return jnp.take(input, index.reshape(-1), axis=dim)


@rule(torch.take, torch.Tensor.take)
def take(input, index):
    return jnp.take(input.reshape(-1), index, mode="wrap")


@rule(torch.isin)
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    return jnp.isin(elements, test_elements, invert=invert)


@rule(torch.searchsorted)
def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    rows = sorted_sequence if sorter is None else jnp.take_along_axis(sorted_sequence, sorter, -1)
    return places_in(rows, jnp.asarray(input), right or side == "right", out_int32)


@rule(torch.bucketize)
def bucketize(input, boundaries, *, out_int32=False, right=False):
    return places_in(boundaries, jnp.asarray(input), right, out_int32)


def places_in(rows, values, right, narrow):
    """Where values belong in rows that are sorted."""
    dtype, side = jnp.int32 if narrow else jnp.int64, "right" if right else "left"
    if rows.ndim == 1:
        return jnp.searchsorted(rows, values, side=side).astype(dtype)
    flat = zip(rows.reshape(-1, rows.shape[-1]), values.reshape(-1, values.shape[-1]), strict=True)
    found = [jnp.searchsorted(row, value, side=side) for row, value in flat]
    return jnp.stack(found).reshape(values.shape).astype(dtype) if found else jnp.zeros(values.shape, dtype)


@rule("torch.Tensor.__getitem__:listed")
def index_of_list(index):
    return jnp.array(index)


@rule("torch.Tensor.__getitem__:list held")
def index_held(index):
    """A list as an index: several parts where it has up to 31 and more than numbers among them."""
    index = list(index)
    if len(index) < 32 and any(is_part(part) for part in index):
        return tuple(of_places(part) if isinstance(part, (list, tuple, range)) else part for part in index)
    return of_places(index)


def is_part(item):
    return item is None or item is Ellipsis or isinstance(item, slice) or hasattr(item, "__len__")


def of_places(items):
    return jnp.array(items) if len(items) else jnp.zeros(0, jnp.int64)


def is_number(part):
    return isinstance(part, int) or getattr(part, "ndim", None) == 0


@rule("torch.Tensor.__getitem__:numbers")
def numbers_first(self, index):
    """What an index picks as torch does: numbers pick first, then arrays stand beside each other or not."""
    first, rest = [], []
    for part in index:
        axes = part.ndim if getattr(part, "dtype", None) == jnp.bool_ else 1
        if is_number(part) or part is Ellipsis:
            first.append(part)
        elif part is not None:
            first += [slice(None)] * axes
        if not is_number(part):
            rest.append(jnp.asarray(part) if isinstance(part, list) else part)
    return self[tuple(first)][tuple(rest)]


@rule("torch.Tensor.__getitem__:bounded")
def item_within(self, index):
    """An item by its place; one that is none raises, which ends a loop."""
    if isinstance(self, jax.Array) and isinstance(index, int) and not -len(self) <= index < len(self):
        raise IndexError(f"index {index} is out of bounds for dimension 0 with size {len(self)}")
    return self[index]


@rule("torch.Tensor.__getitem__:bytes")
def truths_of_bytes(index):
    return index.astype(bool) if index.dtype == jnp.uint8 else index
