"""OneFlow inside a worker: tensors to arrays and back, state, modes.

Loaded by path in the interpreter that has OneFlow; imports nothing else than it and numpy.
"""

from __future__ import annotations

import numpy as np
import oneflow


def version():
    """The framework's version."""
    return oneflow.__version__


def seed(number):
    oneflow.manual_seed(number)


def threads(number):
    oneflow.set_num_threads(number)


def is_tensor(value):
    return isinstance(value, oneflow.Tensor)


def is_module(value):
    return isinstance(value, oneflow.nn.Module)


def tensor(array):
    """A tensor of the array's dtype and shape that owns its memory."""
    return oneflow.tensor(np.array(array))


def array(value):
    """The tensor's values; bfloat16, which numpy does not have, as float32."""
    value = value.detach()
    if dtype(value) == "bfloat16":
        value = value.to(oneflow.float32)
    return value.numpy()


def dtype(value):
    """The name of a tensor's dtype, ``float32``."""
    return str(value.dtype).split(".")[-1]


def evaluate(model):
    model.eval()


def no_grad():
    return oneflow.no_grad()


def state(model):
    """Name -> array, for parameters and persistent buffers."""
    return {name: array(value) for name, value in model.state_dict().items()}


def shapes(model):
    """Name -> shape of what ``load_state`` fills."""
    return {name: tuple(value.shape) for name, value in model.state_dict().items()}


def load_state(model, arrays):
    """Fill parameters and buffers; names and shapes must be those of ``shapes``."""
    model.load_state_dict({name: np.array(value) for name, value in arrays.items()}, strict=True)


def leaf(array):
    """A tensor that gradients are taken with respect to."""
    return tensor(array).requires_grad_()


def differentiable(value):
    """Whether a gradient can be taken of it."""
    return value.requires_grad


def gradients(outputs, weights, leaves):
    """The gradient of sum(weight * output) with respect to each leaf as an array; None where none reaches it."""
    # OneFlow's autograd.grad has no allow_unused.
    oneflow.autograd.backward(outputs, [tensor(weight) for weight in weights])
    return [None if value.grad is None else array(value.grad) for value in leaves]


def parameters(model):
    """Name -> parameter, for those that are trained."""
    return {name: value for name, value in model.named_parameters() if differentiable(value)}
