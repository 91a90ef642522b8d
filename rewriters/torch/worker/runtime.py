"""torch inside a worker: tensors to arrays and back, state, modes, and the runs that measure its own rounding.

Loaded by path in the interpreter that has torch; imports nothing else than it and numpy.
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
import warnings
import weakref
from pathlib import Path

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

MODULE = torch.nn.Module
REFERENCE = True  # this side says how far a correct computation strays
LEVELS = ("outputs", "activations", "gradients", "steps", "double")


def _beside(name):
    """A module of this file's folder, by path as this one is."""
    spec = importlib.util.spec_from_file_location(f"_migrate_torch_{name}", Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_noise = _beside("noise")
noise, noisy = _noise.noise, _noise.noisy
averages = _beside("averages").Averages

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
    """Compute in double precision: the weights, the default dtype, and what the code itself calls float32.

    Parameters and buffers are afterwards what they were before.
    """
    saved = [(value, value.data, value.grad) for value in model.parameters()] if is_module(model) else []
    # Of buffers the very tensors are replaced.
    buffers = [(module, dict(module._buffers)) for module in model.modules()] if is_module(model) else []
    dtype = torch.get_default_dtype()
    try:
        if is_module(model):
            for value, _, _ in saved:
                value.grad = None
            model.double()
        torch.set_default_dtype(torch.float64)
        with _Double():
            yield
    finally:
        torch.set_default_dtype(dtype)
        with torch.no_grad():
            for value, data, grad in saved:
                value.grad = None
                value.data = data
                value.grad = grad
            for module, before in buffers:
                module._buffers.update(before)


@contextlib.contextmanager
def kept(model):
    """Parameters, buffers and modes are afterwards what they were before, whatever is trained inside."""
    if not is_module(model):
        yield
        return
    held = [(value, value.detach().clone()) for value in [*model.parameters(), *model.buffers()]]
    modes = [(module, module.training) for module in model.modules()]
    try:
        yield
    finally:
        with torch.no_grad():
            for value, before in held:
                value.copy_(before)
                value.grad = None
        for module, training in modes:
            module.training = training


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
    found = torch.autograd.grad(*_weighted(outputs, weights, leaves), allow_unused=True)
    return [None if value is None else array(value) for value in found]


def _weighted(outputs, weights, leaves):
    """(outputs, leaves, their gradients) as ``grad`` takes them."""
    weights = [tensor(weight) for weight in weights]
    if any(output.is_complex() for output in outputs):
        return outputs, leaves, weights
    # Of a scalar no gradient is given: looking at a given one makes torch import sympy, which takes a second.
    return sum((output * weight).sum() for output, weight in zip(outputs, weights, strict=True)), leaves, None


def second_gradients(outputs, weights, first, leaves):
    """The gradient of the sum of squares of the gradients with respect to ``first``; otherwise as ``gradients``."""
    found = torch.autograd.grad(*_weighted(outputs, weights, first), create_graph=True, allow_unused=True)
    squares = [(value * value).sum() for value in found if value is not None and value.requires_grad]
    if not squares:
        return [None for _ in leaves]
    found = torch.autograd.grad(sum(squares), leaves, allow_unused=True)
    return [None if value is None else array(value) for value in found]


def parameters(model):
    """Name -> parameter, for those that are trained."""
    return {name: value for name, value in model.named_parameters() if differentiable(value)}


def buffers(model):
    """Names of what is no parameter."""
    return [name for name, _ in model.named_buffers(remove_duplicate=False)]


def modules(model):
    """(qualified name, module) of the model and all its parts."""
    return list(model.named_modules())


@contextlib.contextmanager
def hooked(model, before, after):
    """Have each call of a module told: ``before(name, module, args, kwargs)``, ``after(name, module, returned)``."""
    if not is_module(model):
        yield
        return
    handles = []
    for name, module in model.named_modules():

        def enter(module, args, kwargs, name=name):
            before(name, module, args, kwargs)

        def leave(module, args, kwargs, returned, name=name):
            after(name, module, returned)

        handles.append(module.register_forward_pre_hook(enter, with_kwargs=True))
        handles.append(module.register_forward_hook(leave, with_kwargs=True))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def mark(value):
    """(weak reference, version): an equal version of the same tensor is the same values. None when it has none."""
    return None if value.is_inference() else (weakref.ref(value), value._version)


def distance(value, exact):
    """rms(value - exact) with all threads; None where an element is not finite."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a mapped array cannot be written to, and is not
        exact = torch.from_numpy(exact)
    found = torch.linalg.vector_norm(value.detach() - exact).item() / max(1, exact.numel()) ** 0.5
    return found if math.isfinite(found) else None


def clone(value):
    """A copy through which gradients flow."""
    return value.clone()


def random_state():
    """Where the random generator stands, as bytes that can be compared."""
    return torch.get_rng_state().numpy().tobytes()


@contextlib.contextmanager
def dropout(keep):
    """Have every dropout take its mask from ``keep(shape, p)``, True where an element stays."""
    with _Dropout(keep):
        yield


class _Dropout(TorchFunctionMode):
    def __init__(self, keep):
        super().__init__()
        self.keep = keep

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func in _DROPOUTS:
            return self.drop(_DROPOUTS[func], *args, **kwargs)
        if func is _F.scaled_dot_product_attention:
            return self.attend(*args, **kwargs)
        if func is _F.multi_head_attention_forward:
            with self, _unasked():  # torch turns a mode off while it handles a call: what this one calls must be seen
                return func(*args, **kwargs)
        return func(*args, **kwargs)

    def attend(self, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        """As torch's documentation writes it out; its kernels draw unseen."""
        if dropout_p <= 0.0:
            return _F.scaled_dot_product_attention(
                query, key, value, attn_mask, 0.0, is_causal, scale=scale, enable_gqa=enable_gqa
            )
        if enable_gqa:
            key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
            value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
        scores = query @ key.transpose(-2, -1) * (query.size(-1) ** -0.5 if scale is None else scale)
        if is_causal:
            attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        if attn_mask is not None and attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        elif attn_mask is not None:
            scores = scores + attn_mask
        return self.drop(0, torch.softmax(scores, dim=-1), dropout_p) @ value

    def drop(self, spatial, input, p=0.5, training=True, inplace=False, train=None):
        if not (training if train is None else train):
            return input
        shape = list(input.shape)
        if spatial:
            # Whole channels; without a batch axis the first one is the channels'.
            first = 1 if len(shape) == spatial + 1 and spatial != 2 else 2
            shape = shape[:first] + [1] * (len(shape) - first)
        scaled = _scaled(self.keep(shape, p), p)
        result = input * torch.from_numpy(scaled).to(input.dtype)
        return input.copy_(result) if inplace else result


@contextlib.contextmanager
def _unasked():
    """torch's Python functions do not ask whether a mode wants their calls."""
    names = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")
    before = {name: getattr(_F, name) for name in names}
    for name in names:
        setattr(_F, name, lambda *_: False)
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(_F, name, function)


def _scaled(kept, p):
    return kept.astype(np.float64) / (1.0 - p) if p < 1.0 else np.zeros(kept.shape)


# Function -> number of axes behind the channels that it drops as one; 0: every element by itself.
_F = torch.nn.functional
_DROPOUTS = {_F.dropout: 0, torch.dropout: 0, torch.dropout_: 0, _F.dropout1d: 1, _F.dropout2d: 2, _F.dropout3d: 3}


def train(model):
    model.train()


def train_step(compute, optimizer, scheduler):
    """One step on the loss that ``compute`` returns; the loss as an array."""
    optimizer.zero_grad()
    loss = compute()
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return array(loss)
