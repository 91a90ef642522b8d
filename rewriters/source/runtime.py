"""torch inside a worker: tensors to arrays and back, state, modes, and the runs that measure its own rounding.

Loaded by path in the interpreter that has torch; imports nothing else than it and numpy.
"""

from __future__ import annotations

import contextlib

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

# Ways to compute the same thing in another order; what they differ by is torch's own noise.
VARIANTS = ("one thread", "channels_last", "no oneDNN")


def version():
    """The framework's version."""
    return torch.__version__


def seed(number):
    torch.manual_seed(number)


def threads(number):
    torch.set_num_threads(number)


def is_tensor(value):
    return isinstance(value, torch.Tensor)


def is_module(value):
    return isinstance(value, torch.nn.Module)


def tensor(array):
    """A tensor of the array's dtype and shape that owns its memory."""
    return torch.from_numpy(np.array(array))


def array(value):
    """The tensor's values; bfloat16, which numpy does not have, as float32."""
    value = value.detach().cpu().resolve_conj().resolve_neg()
    if value.layout != torch.strided:
        value = value.to_dense()
    if value.is_floating_point() and value.dtype not in (torch.float16, torch.float32, torch.float64):
        value = value.float()
    return value.numpy()


def dtype(value):
    """The name of a tensor's dtype, ``float32``."""
    return str(value.dtype).split(".")[-1]


def evaluate(model):
    model.eval()


def no_grad():
    return torch.no_grad()


def state(model):
    """Name -> array, for parameters and persistent buffers."""
    return {name: array(value) for name, value in model.state_dict().items() if is_tensor(value)}


def shapes(model):
    """Name -> shape of what ``load_state`` fills."""
    return {name: tuple(value.shape) for name, value in model.state_dict().items() if is_tensor(value)}


def load_state(model, arrays):
    """Fill parameters and buffers; names and shapes must be those of ``shapes``."""
    model.load_state_dict({name: tensor(value) for name, value in arrays.items()}, strict=False)


@contextlib.contextmanager
def variant(name, model, args, kwargs):
    """The same computation another way: yields its arguments, or None where it makes no difference to this model."""
    if name == "one thread":
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield args, kwargs
        finally:
            torch.set_num_threads(before)
    elif name == "no oneDNN":
        with torch.backends.mkldnn.flags(enabled=False):
            yield args, kwargs
    elif name == "channels_last":
        images = [value for value in [*args, *kwargs.values()] if is_tensor(value) and value.dim() == 4]
        if not images:
            yield None
            return
        _convert(model, torch.channels_last)
        try:
            yield [_last(value) for value in args], {key: _last(value) for key, value in kwargs.items()}
        finally:
            _convert(model, torch.contiguous_format)
    else:
        raise ValueError(f"unknown variant {name!r}")


def _convert(model, memory_format):
    if is_module(model):
        model.to(memory_format=memory_format)


def _last(value):
    return value.contiguous(memory_format=torch.channels_last) if value.dim() == 4 else value


@contextlib.contextmanager
def double(model):
    """Compute in double precision: the weights, the default dtype, and what the code itself calls float32."""
    if is_module(model):
        model.double()
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with _Double():
            yield
    finally:
        torch.set_default_dtype(before)


class _Double(TorchFunctionMode):
    """Reads float32 as float64: ``.float()``, ``dtype=torch.float32``, and tensors that met no ``model.double()``."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "float" and func is torch.Tensor.float:
            func = torch.Tensor.double
        args = [_wide_dtype(value) for value in args]
        kwargs = {key: _wide_dtype(value) for key, value in kwargs.items()}
        mixed = {value.dtype for value in [*args, *kwargs.values()] if is_tensor(value)}
        # Not for x.add_(y) and the like: they must write to the very tensor that they are given.
        if {torch.float32, torch.float64} <= mixed and not name.endswith("_"):
            args = [_wide(value) for value in args]
            kwargs = {key: _wide(value) for key, value in kwargs.items()}
        return func(*args, **kwargs)


def _wide_dtype(value):
    return (
        {torch.float32: torch.float64, torch.complex64: torch.complex128}.get(value, value)
        if isinstance(value, torch.dtype)
        else value
    )


def _wide(value):
    return value.double() if is_tensor(value) and value.dtype == torch.float32 else value


def leaf(array):
    """A tensor that gradients are taken with respect to."""
    return tensor(array).requires_grad_()


def differentiable(value):
    """Whether a gradient can be taken of it."""
    return value.requires_grad


def gradients(outputs, weights, leaves):
    """The gradient of sum(weight * output) with respect to each leaf as an array; None where none reaches it."""
    found = torch.autograd.grad(outputs, leaves, [tensor(weight) for weight in weights], allow_unused=True)
    return [None if value is None else array(value) for value in found]


def parameters(model):
    """Name -> parameter, for those that are trained."""
    return {name: value for name, value in model.named_parameters() if differentiable(value)}
