"""Functions of the torch namespace: creation, joining, shape, random numbers, devices, saving."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.no_grad, "paddle.no_grad")
alias(torch.cuda.is_available, "paddle.cuda.is_available")
alias(torch.float32, "paddle.float32")
alias(torch.float64, "paddle.float64")
alias(torch.float16, "paddle.float16")
alias(torch.bfloat16, "paddle.bfloat16")
alias(torch.int64, "paddle.int64")
alias(torch.int32, "paddle.int32")
alias(torch.int16, "paddle.int16")
alias(torch.int8, "paddle.int8")
alias(torch.uint8, "paddle.uint8")
alias(torch.bool, "paddle.bool")


@rule(torch.device)
def device(type):
    return paddle.device(type)


@rule(torch.manual_seed)
def manual_seed(seed):
    return paddle.seed(seed)


@rule(torch.tensor)
def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    return paddle.to_tensor(data, dtype=dtype, stop_gradient=not requires_grad)


@rule(torch.from_numpy)
def from_numpy(ndarray):
    return paddle.to_tensor(ndarray)


@rule(torch.zeros)
def zeros(*size: int, dtype=None, device=None):
    return paddle.zeros(size, dtype=dtype)


@rule(torch.zeros)
def zeros(size: list | tuple, *, dtype=None, device=None):  # noqa: F811
    return paddle.zeros(size, dtype=dtype)


@rule(torch.zeros)
def zeros(*size, dtype=None, device=None):  # noqa: F811
    return paddle.zeros(*size, dtype=dtype)


@rule(torch.ones)
def ones(*size: int, dtype=None, device=None):
    return paddle.ones(size, dtype=dtype)


@rule(torch.ones)
def ones(size: list | tuple, *, dtype=None, device=None):  # noqa: F811
    return paddle.ones(size, dtype=dtype)


@rule(torch.ones)
def ones(*size, dtype=None, device=None):  # noqa: F811
    return paddle.ones(*size, dtype=dtype)


@rule(torch.randn)
def randn(*size: int, dtype=None, device=None):
    return paddle.randn(size, dtype=dtype)


@rule(torch.randn)
def randn(size: list | tuple, *, dtype=None, device=None):  # noqa: F811
    return paddle.randn(size, dtype=dtype)


@rule(torch.randn)
def randn(*size, dtype=None, device=None):  # noqa: F811
    return paddle.randn(*size, dtype=dtype)


@rule(torch.randint)
def randint(high: int, size: list | tuple, *, dtype=None, device=None):
    return paddle.randint(0, high, size, dtype=dtype)


@rule(torch.randint)
def randint(low: int, high: int, size: list | tuple, *, dtype=None, device=None):  # noqa: F811
    return paddle.randint(low, high, size, dtype=dtype)


@rule(torch.arange)
def arange(end, *, dtype=None, device=None):
    return paddle.arange(end, dtype=dtype)


@rule(torch.arange)
def arange(start, end, step=1, *, dtype=None, device=None):  # noqa: F811
    return paddle.arange(start, end, step, dtype=dtype)


@rule(torch.tril)
def tril(input, diagonal=0):
    return paddle.tril(input, diagonal=diagonal)


@rule(torch.triu)
def triu(input, diagonal=0):
    return paddle.triu(input, diagonal=diagonal)


@rule(torch.cat, torch.concat)
def cat(tensors, dim=0):
    return paddle.concat(tensors, axis=dim)


@rule(torch.stack)
def stack(tensors, dim=0):
    return paddle.stack(tensors, axis=dim)


@rule(torch.flatten)
def flatten(input, start_dim=0, end_dim=-1):
    return paddle.flatten(input, start_axis=start_dim, stop_axis=end_dim)


@rule(torch.flip)
def flip(input, dims):
    return paddle.flip(input, axis=dims)


@rule(torch.multinomial)
def multinomial(input, num_samples, replacement=False):
    return paddle.multinomial(input, num_samples=num_samples, replacement=replacement)


@rule(torch.save)
def save(obj, f):
    return paddle.save(obj, f)


@rule(torch.load)
def load(f, map_location=None, *, weights_only=None):
    # paddle.load puts tensors on the current device
    return paddle.load(f)
