"""Tensors from data, of constants, ranges and windows. Paddle makes them on the current device (paddle.set_device)."""

import numpy
import paddle
import torch

from rewriters.rule import IntTensor, becomes, family, rule

becomes(torch.fill, paddle.full_like)
becomes(torch.vander, paddle.vander, N="n")


@rule(torch.vander)
def vander(x: IntTensor, N=None, increasing=False):
    return paddle.vander(x.astype("int64"), n=N, increasing=increasing)


@rule(torch.tensor)
def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    return paddle.to_tensor(data, dtype=dtype, stop_gradient=not requires_grad)


@rule(torch.as_tensor)
def as_tensor(data, dtype=None, device=None):
    return paddle.as_tensor(data, dtype=dtype)


@rule(torch.asarray)
def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    return paddle.asarray(obj, dtype=dtype, copy=copy, requires_grad=requires_grad)


@rule(torch.from_numpy)
def from_numpy(ndarray):
    return paddle.to_tensor(ndarray)


@rule(torch.frombuffer)
def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    raise NotImplementedError("Paddle has no frombuffer; use paddle.to_tensor(numpy.frombuffer(...))")


@rule(torch.scalar_tensor)
def scalar_tensor(s, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    return paddle.full([], s, dtype="float32" if dtype is None else dtype, requires_grad=requires_grad)


@family("zeros ones")
@rule(torch.zeros)
def zeros(*size: int, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return paddle.zeros(size, dtype=dtype, requires_grad=requires_grad)


@family("zeros ones")
@rule(torch.zeros)
def zeros(size: list | tuple, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return paddle.zeros(size, dtype=dtype, requires_grad=requires_grad)


@family("zeros ones")
@rule(torch.zeros)
def zeros(*size: int | paddle.Tensor, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    # the elements of a tensor, given one by one
    return paddle.zeros([int(count) for count in size], dtype=dtype, requires_grad=requires_grad)


@family("zeros ones")
@rule(torch.zeros)
def zeros(*size, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return paddle.zeros(*size, dtype=dtype, requires_grad=requires_grad)


@rule(torch.empty)
def empty(*size: int, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, memory_format=None):
    return paddle.empty(size, dtype=dtype, requires_grad=requires_grad)


@rule(torch.empty)
def empty(
    size: list | tuple,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
    memory_format=None,
):
    return paddle.empty(size, dtype=dtype, requires_grad=requires_grad)


@rule(torch.empty)
def empty(*size, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, memory_format=None):
    return paddle.empty(*size, dtype=dtype, requires_grad=requires_grad)


@family("zeros ones empty")
@rule(torch.zeros_like)
def zeros_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    return paddle.zeros_like(input, dtype=dtype, requires_grad=requires_grad)


@rule(torch.full)
def full(size, fill_value: bool | float, *, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.full(size, fill_value, dtype=dtype, requires_grad=requires_grad)


@rule(torch.full)
def full(size, fill_value: int, *, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.full(size, fill_value, dtype="int64" if dtype is None else dtype, requires_grad=requires_grad)


@rule(torch.full_like)
def full_like(input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    return paddle.full_like(input, fill_value, dtype=dtype, requires_grad=requires_grad)


@rule(torch.empty_permuted)
def empty_permuted(size, physical_layout, *, dtype=None, device=None, requires_grad=False):
    return paddle.empty(size, dtype=dtype, requires_grad=requires_grad)


@rule(torch.empty_strided)
def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    return paddle.empty(size, dtype=dtype, requires_grad=requires_grad)


@family("zeros ones empty")
@rule(torch.Tensor.new_zeros)
def new_zeros(self, *size: int, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    return self.new_zeros(size, dtype=dtype, requires_grad=requires_grad)


@family("zeros ones empty")
@rule(torch.Tensor.new_zeros)
def new_zeros(self, size: list | tuple, *, dtype=None, device=None, requires_grad=False, layout=None):
    return self.new_zeros(size, dtype=dtype, requires_grad=requires_grad)


@family("zeros ones empty")
@rule(torch.Tensor.new_zeros)
def new_zeros(self, *size, dtype=None, device=None, requires_grad=False):
    return self.new_zeros(*size, dtype=dtype, requires_grad=requires_grad)


@rule(torch.Tensor.new_full)
def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False):
    return self.new_full(size, fill_value, dtype=dtype, requires_grad=requires_grad)


@rule(torch.Tensor.new_tensor)
def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
    return paddle.to_tensor(data, dtype=self.dtype if dtype is None else dtype, stop_gradient=not requires_grad)


@rule(torch.Tensor.new_empty_strided)
def new_empty_strided(self, size, stride, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    return self.new_empty(size, dtype=dtype, requires_grad=requires_grad)


@rule(torch.Tensor.new)
def new(self):
    return self.new_empty([0])


@rule(torch.Tensor.new)
def new(self, *size: int):
    return self.new_empty(size)


@rule(torch.Tensor.new)
def new(self, size: paddle.Size):
    return self.new_empty(size)


@rule(torch.Tensor.new)
def new(self, data: list | tuple):
    return paddle.to_tensor(data, dtype=self.dtype)


@rule(torch.Tensor.new)
def new(self, *given):
    # torch's Size is a list here, and means sizes as numbers do; of other lists a tensor is made
    if isinstance(given[0], paddle.Size):
        return self.new_empty(given[0])
    if isinstance(given[0], int):
        return self.new_empty(given)
    return given[0].detach() if isinstance(given[0], paddle.Tensor) else paddle.to_tensor(given[0], dtype=self.dtype)


@rule(torch.arange)
def arange(end, *, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.arange(end, dtype=dtype, requires_grad=requires_grad)


@rule(torch.arange)
def arange(start: int, end, step: int = 1, *, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.arange(start, end, step, dtype=dtype, requires_grad=requires_grad)


@rule(torch.arange)
def arange(start, end, step=1, *, dtype=None, layout=None, device=None, requires_grad=False):
    # how many there are torch reckons in double, Paddle in their dtype: arange(0, 2.1, 0.3) has eight, there seven
    whole = all(isinstance(bound, (int, numpy.integer)) for bound in (start, end, step))
    if dtype is None:
        dtype = "int64" if whole else paddle.get_default_dtype()
    exact = dtype if whole or "int" in str(dtype) else "float64"
    found = paddle.arange(start, end, step, dtype=exact).astype(dtype)
    found.stop_gradient = not requires_grad
    return found


@rule(torch.range)
def range(start, end, step=1, *, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.range(start, end, step, dtype="float32" if dtype is None else dtype, requires_grad=requires_grad)


@rule(torch.linspace)
def linspace(start, end, steps, *, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.linspace(start, end, steps, dtype=dtype, requires_grad=requires_grad)


@rule(torch.logspace)
def logspace(start, end, steps, base=10.0, *, dtype=None, layout=None, device=None, requires_grad=False):
    if steps == 0:
        return paddle.empty([0], dtype=dtype)
    return paddle.logspace(start, end, steps, base=base, dtype=dtype)


@rule(torch.eye)
def eye(n, m=None, *, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.eye(n, m, dtype=dtype, requires_grad=requires_grad)


# Chosen by passes/narrow_makers.py: Paddle makes none of these dtypes.
@rule("torch.eye:narrow")
def narrow_eye(n, m=None, *, dtype, layout=None, device=None, requires_grad=False):
    return paddle.eye(n, m).astype(dtype)


@rule("torch.arange:narrow")
def narrow_arange(end, *, dtype, layout=None, device=None, requires_grad=False):
    return paddle.arange(end, dtype="float64").astype(dtype)


@rule("torch.arange:narrow")
def narrow_arange(start, end, step=1, *, dtype, layout=None, device=None, requires_grad=False):
    return paddle.arange(start, end, step, dtype="float64").astype(dtype)


@family("tril triu")
@rule(torch.tril_indices)
def tril_indices(row, col, offset=0, *, dtype="int64", device=None, layout=None):
    return paddle.tril_indices(row, col, offset=offset, dtype="int64" if dtype is None else dtype)


@family("complex polar", "real abs", "imag angle")
@rule(torch.complex)
def complex(real, imag):
    return paddle.complex(real, imag)


@family("hann blackman bartlett")
@rule(torch.hann_window)
def hann_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.hann_window(window_length, periodic, dtype="float32" if dtype is None else dtype)


@rule(torch.hamming_window)
def hamming_window(
    window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None, requires_grad=False
):
    return paddle.hamming_window(window_length, periodic, alpha, beta, dtype="float32" if dtype is None else dtype)


@rule(torch.kaiser_window)
def kaiser_window(
    window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None, requires_grad=False
):
    return paddle.kaiser_window(window_length, periodic, beta, dtype="float32" if dtype is None else dtype)
