"""torch: the dtype that operands of several kinds give. An array without axes counts as much as others in JAX."""

import functools

import jax
import jax.numpy as jnp
import numpy
import torch
from flax import nnx

from rewriters.rule import rule


def category(dtype):
    """0 for bool, 1 for integers, 2 for floats, 3 for complex numbers."""
    kinds = (jnp.bool_, jnp.integer, jnp.floating, jnp.complexfloating)
    return next(number for number, kind in enumerate(kinds) if jnp.issubdtype(dtype, kind))


@rule(torch.promote_types)
def promote_types(type1, type2):
    return jnp.promote_types(type1, type2)


@rule(torch.can_cast)
def can_cast(from_, to):
    # to a category that is not below; bool is a category of its own
    return category(to) >= category(from_)


def rank_of_operand(value):
    """Tensors with axes go before those without, these before numbers."""
    return 0 if not isinstance(value, jax.Array) else 1 if value.ndim == 0 else 2


def dtype_of_operand(value):
    if isinstance(value, jax.Array):
        return value.dtype
    kinds = {bool: jnp.bool_, int: jnp.int64, complex: jnp.complex64}
    return jnp.dtype(kinds.get(type(value), jnp.float32))


@rule(torch.result_type)
def result_type(tensor1, tensor2):
    first, second = sorted((tensor1, tensor2), key=rank_of_operand, reverse=True)
    strong, weak = dtype_of_operand(first), dtype_of_operand(second)
    if rank_of_operand(first) == rank_of_operand(second):
        return jnp.promote_types(strong, weak)
    if category(weak) <= category(strong):
        return strong
    if category(weak) == 3 and category(strong) == 2:
        return jnp.promote_types(strong, jnp.complex64)
    return weak


def held(value):
    """The array that a parameter holds, also one that is shown in torch's layout; other values as they are."""
    return value[...] if isinstance(getattr(value, "variable", value), nnx.Variable) else value


def alike(left, right):
    """Both operands in the dtype to which torch promotes them; numbers stay numbers where they mean the same."""
    left, right = (value.item() if isinstance(value, numpy.generic) else held(value) for value in (left, right))
    if not all(isinstance(value, (jax.Array, bool, int, float, complex)) for value in (left, right)):
        return left, right
    dtype = result_type(left, right)
    return tuple(
        value.astype(dtype) if isinstance(value, jax.Array) else jnp.asarray(value, dtype) for value in (left, right)
    )


def all_alike(tensors):
    """The tensors in the dtype to which torch promotes them all."""
    tensors = [held(tensor) for tensor in tensors]
    dtype = functools.reduce(jnp.promote_types, [tensor.dtype for tensor in tensors])
    return [tensor.astype(dtype) for tensor in tensors]


def inexact(value):
    """Integers as float32, which torch makes of them."""
    return value if jnp.issubdtype(value.dtype, jnp.inexact) else value.astype(jnp.float32)
