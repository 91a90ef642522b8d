"""torch inside a worker: tensors to arrays and back, state, modes. What measures its own rounding is beside it.

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
_double = _beside("double")
variant, double, kept = _double.variant, _double.double, _double.kept
dropout = _beside("dropout").dropout
drawing = _beside("drawing").drawing
_unfilled = _beside("unfilled")
building, fill = _unfilled.building, _unfilled.fill

# Ways to compute the same thing in another order; what they differ by is torch's own noise.
VARIANTS = ("one thread", "channels_last", _double.PLAIN)


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


def recorded():
    """All that is computed keeps what its gradient needs by itself."""
    return contextlib.nullcontext()


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


def backward(outputs, weights, leaves):
    """As ``gradients``, by ``backward()``: what it leaves in ``grad``, which is empty before and after."""
    for value in leaves:
        value.grad = None
    total, _, grads = _weighted(outputs, weights, leaves)
    torch.autograd.backward(total, grads)
    found = [None if value.grad is None else array(value.grad) for value in leaves]
    for value in leaves:
        value.grad = None
    return found


def second_gradients(outputs, weights, first, leaves):
    """The gradient of the sum of squares of the gradients with respect to ``first``; otherwise as ``backward``."""
    found = torch.autograd.grad(*_weighted(outputs, weights, first), create_graph=True, allow_unused=True)
    squares = [(value * value).sum() for value in found if value is not None and value.requires_grad]
    if not squares:
        return [None for _ in leaves]
    return backward([sum(squares)], [np.float32(1)], leaves)


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


def train(model):
    model.train()


def train_step(compute, model, optimizer, scheduler):
    """One step on the loss that ``compute`` returns of the model; the loss as an array."""
    optimizer.zero_grad()
    loss = compute(model)
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return array(loss)
