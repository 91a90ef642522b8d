"""Tensors from data, of constants, ranges and windows. JAX makes them on its default device."""

import math

import jax
import jax.numpy as jnp
import numpy
import torch

from rewriters.rule import becomes, family, rule

becomes(torch.vander, jnp.vander, N="/", increasing="/")
becomes(torch.fill, jnp.full_like)


def leaves_of(data):
    """The values in nested lists and tuples."""
    if isinstance(data, (list, tuple)):
        return [leaf for item in data for leaf in leaves_of(item)]
    return [data]


def array_of(data, dtype=None):
    """A tensor of the values: Python's floats are float32, as in torch, and what has a dtype keeps it."""
    if dtype is None and not any(hasattr(leaf, "dtype") for leaf in leaves_of(data)):
        found = jnp.asarray(data)
        narrow = {"float64": jnp.float32, "complex128": jnp.complex64}
        return found.astype(narrow.get(str(found.dtype), found.dtype))
    return jnp.array(data, dtype)


@rule(torch.tensor)
def tensor(data: int, *, device=None, requires_grad=False, pin_memory=False):
    if isinstance(data, numpy.generic):
        return jnp.array(data)
    return jnp.array(data, jnp.int64)


@rule(torch.tensor)
def tensor(data: float, *, device=None, requires_grad=False, pin_memory=False):
    if isinstance(data, numpy.generic):
        return jnp.array(data)
    return jnp.array(data, jnp.float32)


@rule(torch.tensor)
def tensor(data: bool, *, device=None, requires_grad=False, pin_memory=False):
    return jnp.array(data)


@rule(torch.tensor)
def tensor(data, *, dtype, device=None, requires_grad=False, pin_memory=False):
    if dtype is None:
        return array_of(data)
    return jnp.array(data, dtype)


@rule(torch.tensor)
def tensor(data, *, device=None, requires_grad=False, pin_memory=False):
    return array_of(data)


@rule(torch.as_tensor)
def as_tensor(data: jax.Array, dtype=None, device=None):
    return jnp.asarray(data, dtype)


@rule(torch.as_tensor)
def as_tensor(data, dtype=None, device=None):
    return array_of(data, dtype)


@rule(torch.asarray)
def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    return array_of(obj, dtype)


@rule(torch.from_numpy)
def from_numpy(ndarray):
    return jnp.array(ndarray)


@rule(torch.frombuffer)
def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    return jnp.array(numpy.frombuffer(buffer, dtype, count, offset))


@rule(torch.scalar_tensor)
def scalar_tensor(s, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    return jnp.array(s, jnp.float32 if dtype is None else dtype)


@family("zeros ones empty")
@rule(torch.zeros)
def zeros(*size: int, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, memory_format=None):
    return jnp.zeros((*size,), jnp.float32 if dtype is None else dtype)


@family("zeros ones empty")
@rule(torch.zeros)
def zeros(
    size: list | tuple,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
    memory_format=None,
):
    return jnp.zeros(size, jnp.float32 if dtype is None else dtype)


@family("zeros ones empty")
@rule(torch.zeros)
def zeros(*size, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, memory_format=None):
    # a list, a size, or numbers
    shape = size[0] if len(size) == 1 else size
    return jnp.zeros(shape, jnp.float32 if dtype is None else dtype)


@family("zeros ones empty")
@rule(torch.zeros_like)
def zeros_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    return jnp.zeros_like(input, dtype=dtype)


@rule(torch.full)
def full(size, fill_value: float, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.full(size, fill_value, jnp.float32 if dtype is None else dtype)


@rule(torch.full)
def full(size, fill_value: int, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.full(size, fill_value, jnp.int64 if dtype is None else dtype)


@rule(torch.full)
def full(size, fill_value: bool, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.full(size, fill_value, jnp.bool_ if dtype is None else dtype)


@rule(torch.full)
def full(size, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.full(size, array_of(fill_value, dtype))


@rule(torch.full_like)
def full_like(input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    return jnp.full_like(input, fill_value, dtype=dtype)


@rule(torch.empty_permuted)
def empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.zeros(size, jnp.float32 if dtype is None else dtype)


@rule(torch.empty_strided)
def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    return jnp.zeros(size, jnp.float32 if dtype is None else dtype)


@family("zeros ones empty")
@rule(torch.Tensor.new_zeros)
def new_zeros(self, *size: int, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    return jnp.zeros((*size,), self.dtype if dtype is None else dtype)


@family("zeros ones empty")
@rule(torch.Tensor.new_zeros)
def new_zeros(self, size: list | tuple, *, dtype=None, device=None, requires_grad=False, layout=None):
    return jnp.zeros(size, self.dtype if dtype is None else dtype)


@family("zeros ones empty")
@rule(torch.Tensor.new_zeros)
def new_zeros(self, *size, dtype=None, device=None, requires_grad=False):
    shape = size[0] if len(size) == 1 else size
    return jnp.zeros(shape, self.dtype if dtype is None else dtype)


@rule(torch.Tensor.new_full)
def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    return jnp.full(size, fill_value, self.dtype if dtype is None else dtype)


@rule(torch.Tensor.new_tensor)
def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
    return jnp.array(data, self.dtype if dtype is None else dtype)


@rule(torch.Tensor.new_empty_strided)
def new_empty_strided(self, size, stride, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    return jnp.zeros(size, self.dtype if dtype is None else dtype)


@rule(torch.Tensor.new)
def new(self):
    return jnp.zeros((0,), self.dtype)


@rule(torch.Tensor.new)
def new(self, *size: int):
    return jnp.zeros((*size,), self.dtype)


@rule(torch.Tensor.new)
def new(self, data: list):
    return jnp.array(data, self.dtype)


@rule(torch.arange)
def arange(end: int, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.arange(end, dtype=dtype)


@rule(torch.arange)
def arange(start: int, end: int, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.arange(start, end, dtype=dtype)


@rule(torch.arange)
def arange(start: int, end: int, step: int, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.arange(start, end, step, dtype=dtype)


@rule(torch.arange)
def arange(end, *, dtype=None, layout=None, device=None, requires_grad=False):
    return ranged(0, end, 1, dtype)


@rule(torch.arange)
def arange(start, end, step=1, *, dtype=None, layout=None, device=None, requires_grad=False):
    return ranged(start, end, step, dtype)


def ranged(start, end, step, dtype):
    """torch reckons in double how many there are, and is float32 where any of them is no integer."""
    bounds = [value.item() if hasattr(value, "item") else value for value in (start, end, step)]
    if dtype is None:
        dtype = jnp.int64 if all(isinstance(value, int) for value in bounds) else jnp.float32
    count = max(0, math.ceil((bounds[1] - bounds[0]) / bounds[2]))
    if jnp.issubdtype(dtype, jnp.integer):
        return (int(bounds[0]) + jnp.arange(count) * int(bounds[2])).astype(dtype)
    return (bounds[0] + jnp.arange(count) * float(bounds[2])).astype(dtype)


@rule(torch.range)
def range(start, end, step=1, *, dtype=None, layout=None, device=None, requires_grad=False):
    count = math.floor((end - start) / step) + 1
    return (start + jnp.arange(count) * float(step)).astype(jnp.float32 if dtype is None else dtype)


@rule(torch.linspace)
def linspace(start: int | float, end: int | float, steps, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.linspace(start, end, steps, dtype=jnp.float32 if dtype is None else dtype)


@rule(torch.linspace)
def linspace(start, end, steps, *, dtype=None, layout=None, device=None, requires_grad=False):
    start, end = (value.item() if hasattr(value, "item") else value for value in (start, end))
    kind = jnp.complex64 if jnp.iscomplexobj(start) or jnp.iscomplexobj(end) else jnp.float32
    return jnp.linspace(start, end, steps, dtype=kind if dtype is None else dtype)


@rule(torch.logspace)
def logspace(start, end, steps, base=10.0, *, dtype=None, layout=None, device=None, requires_grad=False):
    start, end = (value.item() if hasattr(value, "item") else value for value in (start, end))
    kind = jnp.complex64 if jnp.iscomplexobj(start) or jnp.iscomplexobj(end) else jnp.float32
    return jnp.logspace(start, end, steps, base=base, dtype=kind if dtype is None else dtype)


@rule(torch.eye)
def eye(n, m=None, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.eye(n, m, dtype=jnp.float32 if dtype is None else dtype)


@family("tril triu")
@rule(torch.tril_indices)
def tril_indices(row, col, offset=0, *, dtype=torch.int64, device=None, layout=None):
    return jnp.stack(jnp.tril_indices(row, offset, col)).astype(jnp.int64 if dtype is None else dtype)


@rule(torch.complex)
def complex(real, imag):
    return jax.lax.complex(*jnp.broadcast_arrays(real, imag))


@rule(torch.polar)
def polar(abs, angle):
    return jax.lax.complex(abs * jnp.cos(angle), abs * jnp.sin(angle))


def window_of(length, periodic, terms, dtype):
    """Sums of cosines."""
    if length <= 1:
        return jnp.ones((length,), dtype)
    angle = 2 * math.pi * jnp.arange(length) / (length if periodic else length - 1)
    return sum(weight * jnp.cos(number * angle) for number, weight in enumerate(terms)).astype(dtype)


@rule(torch.hann_window)
def hann_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False):
    return window_of(window_length, periodic, (0.5, -0.5), jnp.float32 if dtype is None else dtype)


@rule(torch.blackman_window)
def blackman_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False):
    return window_of(window_length, periodic, (0.42, -0.5, 0.08), jnp.float32 if dtype is None else dtype)


@rule(torch.hamming_window)
def hamming_window(
    window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None, requires_grad=False
):
    return window_of(window_length, periodic, (alpha, -beta), jnp.float32 if dtype is None else dtype)


@rule(torch.bartlett_window)
def bartlett_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False):
    if window_length <= 1:
        return jnp.ones((window_length,), jnp.float32 if dtype is None else dtype)
    places = 2 * jnp.arange(window_length) / (window_length if periodic else window_length - 1)
    return jnp.where(places < 1, places, 2 - places).astype(jnp.float32 if dtype is None else dtype)


@rule(torch.kaiser_window)
def kaiser_window(
    window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None, requires_grad=False
):
    found = jnp.kaiser(window_length + 1 if periodic and window_length > 1 else window_length, beta)
    return found[:window_length].astype(jnp.float32 if dtype is None else dtype)


@rule(torch.Tensor)
def tensor_of_floats(*size: int):
    return jnp.empty((*size,) or (0,), jnp.float32)


@rule(torch.Tensor)
def tensor_of_floats(data: list | jax.Array):
    return jnp.asarray(data, jnp.float32)


@rule(torch.Tensor)
def tensor_of_floats(data):
    if data.__class__ is tuple:  # an annotation alone does not say so
        raise TypeError("a shape or numbers? Write jnp.empty(shape, jnp.float32), or jnp.asarray(numbers, jnp.float32)")
    return jnp.empty((data,), jnp.float32) if isinstance(data, int) else jnp.asarray(data, jnp.float32)
