"""Creation of tensors with words that OneFlow's functions do not have; passes/ names these rules."""

import oneflow

from rewriters.rule import family, rule


@rule("torch.tensor:complex")
def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    raise NotImplementedError("OneFlow 0.9 has no complex tensors; keep real and imaginary parts as two tensors")


# Uninitialized memory, and pinned memory too, is what no result shows: they go.
@rule("torch.empty:words")
def empty(size, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, memory_format=None):
    return oneflow.empty(size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.empty:words")
def empty(*size: int, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, memory_format=None):
    return oneflow.empty(*size, dtype=dtype, device=device, requires_grad=requires_grad)


@family("zeros ones")
@rule("torch.zeros:words")
def zeros(size, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return oneflow.zeros(size, dtype=dtype, device=device, requires_grad=requires_grad)


@family("zeros ones")
@rule("torch.zeros:words")
def zeros(*size: int, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return oneflow.zeros(*size, dtype=dtype, device=device, requires_grad=requires_grad)


@family("rand randn")
@rule("torch.rand:words")
def rand(size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return oneflow.rand(size, dtype=dtype, device=device, generator=generator, requires_grad=requires_grad)


@family("rand randn")
@rule("torch.rand:words")
def rand(*size: int, generator=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return oneflow.rand(*size, dtype=dtype, device=device, generator=generator, requires_grad=requires_grad)


@family("zeros ones")
@rule("torch.zeros_like:words")
def zeros_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    return oneflow.zeros_like(input, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.full_like:words")
def full_like(input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    return oneflow.full_like(input, fill_value, dtype=dtype, device=device, requires_grad=requires_grad)
