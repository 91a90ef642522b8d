"""Creation of tensors, and random numbers."""

import math

import numpy
import oneflow
import torch

from rewriters.rule import family, rule, same

same(
    "torch.manual_seed", "torch.tensor", "torch.from_numpy", "torch.zeros", "torch.ones", "torch.randn", "torch.rand",
    "torch.arange", "torch.tril", "torch.triu", "torch.flip", "torch.multinomial",
)  # fmt: skip


@rule(torch.as_tensor, torch.asarray)
def as_tensor(data, dtype=None, device=None):
    return oneflow.as_tensor(data, dtype=dtype, device=device)


@rule(torch.asarray)
def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    return oneflow.tensor(obj, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.scalar_tensor)
def scalar_tensor(s, *, dtype=None, layout=None, device=None, pin_memory=None, requires_grad=False):
    return oneflow.tensor(s, dtype=dtype or oneflow.float32, device=device, requires_grad=requires_grad)


@rule(torch.logspace)
def logspace(
    start, end, steps, base=10.0, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None
):
    start = start.item() if isinstance(start, oneflow.Tensor) else start
    end = end.item() if isinstance(end, oneflow.Tensor) else end
    dtype = dtype or oneflow.get_default_dtype()
    whole = dtype in (oneflow.int64, oneflow.int32, oneflow.int8, oneflow.uint8)
    # from both ends, as torch counts; integers are cut off after each step
    step = (end - start) / (steps - 1) if steps > 1 else 0
    powers = [start + step * n if n < steps / 2 else end - step * (steps - 1 - n) for n in range(steps)]
    values = numpy.power(float(base), numpy.array(powers, numpy.float64))
    values = numpy.trunc(values).astype(numpy.int64) if whole else values
    return oneflow.tensor(values, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.range)
def range_inclusive(start=0, end=None, step=1, *, dtype=None, layout=None, device=None, requires_grad=False):
    start, end = (0, start) if end is None else (start, end)
    count = math.floor((end - start) / step) + 1
    return oneflow.arange(count, dtype=dtype or oneflow.float32, device=device) * step + start


@rule(torch.empty_like)
def empty_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    return oneflow.zeros_like(input, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.rand_like)
def rand_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None, generator=None):
    return oneflow.rand(
        input.shape, dtype=dtype or input.dtype, device=device or input.device, generator=generator,
        requires_grad=requires_grad,
    )  # fmt: skip


@rule(torch.randint)
def randint(high: int, size: list | tuple):
    return oneflow.randint(high, size)


@rule(torch.randint)
def randint(low: int, high: int, size: list | tuple):
    return oneflow.randint(low, high, size)


@rule(torch.randint)
def randint(high: int, size: list | tuple, *, dtype=None, device=None, generator=None, requires_grad=False):
    return oneflow.randint(
        0, high, size, dtype=dtype, device=device, generator=generator, requires_grad=requires_grad
    )  # fmt: skip


@rule(torch.randint)
def randint(low: int, high: int, size, *, dtype=None, layout=None, device=None, generator=None, requires_grad=False):
    return oneflow.randint(
        low, high, size, dtype=dtype, device=device, generator=generator, requires_grad=requires_grad
    )  # fmt: skip


@rule(torch.randint_like)
def randint_like(input, high, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    whole = oneflow.randint(0, int(high), tuple(input.shape), device=device or input.device)
    return whole.to(dtype or input.dtype)


@rule(torch.randint_like)
def randint_like(input, low, high, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    whole = oneflow.randint(int(low), int(high), tuple(input.shape), device=device or input.device)
    return whole.to(dtype or input.dtype)


@rule(torch.randperm)
def randperm(n, *, generator=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    if dtype is None:
        return oneflow.randperm(n, generator=generator, device=device)
    return oneflow.randperm(n, generator=generator, device=device).to(dtype)


@rule(torch.normal)
def normal(mean: float | int, std: float | int, size, *, generator=None, dtype=None, device=None):
    return oneflow.normal(float(mean), float(std), size, dtype=dtype, device=device, generator=generator)


@rule(torch.normal)
def normal(mean, std=1.0, *, generator=None):
    if not isinstance(mean, oneflow.Tensor):
        mean = oneflow.full_like(std, float(mean))
    if not isinstance(std, oneflow.Tensor):
        std = oneflow.full_like(mean, float(std))
    mean, std = oneflow.broadcast_tensors(mean, std)
    drawn = mean + std * oneflow.randn(mean.shape, dtype=mean.dtype, device=mean.device, generator=generator)
    return drawn.detach()  # no gradient passes through what torch draws here


@rule(torch.bernoulli, torch.Tensor.bernoulli)
def bernoulli(input, *, generator=None):
    return (oneflow.rand(input.shape, device=input.device, generator=generator) < input).to(input.dtype)


@rule(torch.bernoulli, torch.Tensor.bernoulli)
def bernoulli(input, p, *, generator=None):
    return (oneflow.rand(input.shape, device=input.device, generator=generator) < p).to(input.dtype)


@rule(torch.Tensor.bernoulli_)
def bernoulli_(self, p=0.5, *, generator=None):
    self[...] = (oneflow.rand(self.shape, device=self.device, generator=generator) < p).to(self.dtype)
    return self


@rule(torch.Tensor.random_)
def random_(self, *bounds, generator=None):
    low, high = (0, bounds[0]) if len(bounds) == 1 else bounds or (0, 2**24)
    self[...] = oneflow.randint(low, high, tuple(self.shape), device=self.device, generator=generator).to(self.dtype)
    return self


@rule(torch.Tensor.log_normal_)
def log_normal_(self, mean=1, std=2, *, generator=None):
    self[...] = oneflow.exp(
        oneflow.randn(self.shape, dtype=self.dtype, device=self.device, generator=generator) * std + mean
    )
    return self


@rule(torch.Tensor.cauchy_)
def cauchy_(self, median=0, sigma=1, *, generator=None):
    uniform = oneflow.rand(self.shape, dtype=self.dtype, device=self.device, generator=generator)
    self[...] = oneflow.tan((uniform - 0.5) * math.pi) * sigma + median
    return self


@rule(torch.Tensor.geometric_)
def geometric_(self, p, *, generator=None):
    uniform = oneflow.rand(self.shape, dtype=self.dtype, device=self.device, generator=generator)
    self[...] = oneflow.clamp(oneflow.ceil(oneflow.log(1 - uniform) / math.log1p(-p)), min=1)
    return self


@rule(torch.Tensor.multinomial)
def multinomial(self, num_samples, replacement=False, *, generator=None):
    return oneflow.multinomial(self, num_samples, replacement=replacement, generator=generator)


@family("tril triu")
@rule(torch.tril_indices)
def tril_indices(row, col, offset=0, *, dtype=None, device="cpu", layout=None):
    return oneflow.tensor(
        numpy.array(numpy.tril_indices(row, offset, col)), dtype=dtype or oneflow.int64, device=device
    )


@rule(torch.Tensor.tril_)
def tril_(self, diagonal=0):
    self[...] = oneflow.tril(self.clone(), diagonal)
    return self


@family("zeros ones")
@rule(torch.Tensor.new_zeros)
def new_zeros(self, *size: int, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    return self.new_zeros(*size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.Tensor.new_zeros)
def new_zeros(self, size: list | tuple, *, dtype=None, device=None, requires_grad=False, layout=None):
    return self.new_zeros(size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.Tensor.new_ones)
def new_ones(self, size: list | tuple, *, dtype=None, device=None, requires_grad=False, layout=None):
    return oneflow.ones(size, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad)


@rule(torch.Tensor.new_empty)
def new_empty(self, *size: int, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    return self.new_zeros(*size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.Tensor.new_empty)
def new_empty(self, size: list | tuple, *, dtype=None, device=None, requires_grad=False, layout=None):
    return self.new_zeros(size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.full:bare")
def full_of_no_axes(size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    return oneflow.tensor(fill_value, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.Tensor.new_full)
def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    empty = oneflow.zeros(size, dtype=dtype or self.dtype, device=device or self.device)
    return oneflow.full_like(empty, fill_value, requires_grad=requires_grad)


@rule(torch.Tensor.new_tensor)
def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    return oneflow.tensor(data, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad)


@rule(torch.Tensor.new)
def new(self):
    return self.new_zeros(0)


@rule(torch.Tensor.new)
def new(self, *size: int):
    return self.new_zeros(*size)


@rule(torch.Tensor.new)
def new(self, size: oneflow.Size):
    return self.new_zeros(size)


@rule(torch.Tensor.new)
def new(self, data: list | tuple):
    return oneflow.tensor(data, dtype=self.dtype, device=self.device)


@rule(torch.Tensor.new)
def new(self, *given):
    # torch's Size is a tuple here, and means sizes as numbers do; of other tuples a tensor is made
    if isinstance(given[0], (int, oneflow.Size)):
        return self.new_zeros(*given)
    if isinstance(given[0], oneflow.Tensor):
        return given[0].detach()
    return oneflow.tensor(given[0], dtype=self.dtype, device=self.device)


WHOLE = ("int64", "int32", "int8", "uint8")


@rule(torch.linspace)
def linspace(start, end, steps, *, dtype, layout=None, device=None, requires_grad=False):
    # of integers OneFlow steps by a cut-off step
    if str(dtype).rpartition(".")[2] in WHOLE:
        values = oneflow.linspace(start, end, steps, dtype=oneflow.float64, device=device)
        return values.to(dtype)
    return oneflow.linspace(start, end, steps, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.linspace)
def linspace(start, end, steps, *, layout=None, device=None, requires_grad=False):
    return oneflow.linspace(start, end, steps, device=device, requires_grad=requires_grad)
