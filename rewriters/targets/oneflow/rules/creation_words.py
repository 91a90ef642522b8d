"""Creation of tensors with words that OneFlow's functions do not have; passes/ names these rules."""

import oneflow

from rewriters.rule import rule


# Uninitialized memory, and pinned memory too, is what no result shows: they go.
@rule("torch.empty:words")
def empty(size, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, memory_format=None):
    return oneflow.empty(size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.empty:words")
def empty(  # noqa: F811
    *size: int, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, memory_format=None
):
    return oneflow.empty(*size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.zeros:words")
def zeros(size, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return oneflow.zeros(size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.zeros:words")
def zeros(*size: int, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):  # noqa: F811
    return oneflow.zeros(*size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.ones:words")
def ones(size, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return oneflow.ones(size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.ones:words")
def ones(*size: int, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):  # noqa: F811
    return oneflow.ones(*size, dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.rand:words")
def rand(size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return oneflow.rand(size, dtype=dtype, device=device, generator=generator, requires_grad=requires_grad)


@rule("torch.rand:words")
def rand(  # noqa: F811
    *size: int, generator=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    return oneflow.rand(*size, dtype=dtype, device=device, generator=generator, requires_grad=requires_grad)


@rule("torch.randn:words")
def randn(size, *, generator=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    return oneflow.randn(size, dtype=dtype, device=device, generator=generator, requires_grad=requires_grad)


@rule("torch.randn:words")
def randn(  # noqa: F811
    *size: int, generator=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    return oneflow.randn(*size, dtype=dtype, device=device, generator=generator, requires_grad=requires_grad)
