"""Paddle inside a worker: tensors to arrays and back, state, modes.

Loaded by path in the interpreter that has Paddle; imports nothing else than it and numpy.
"""

from __future__ import annotations

import numpy as np
import paddle

paddle.set_device("cpu")


def version():
    """The framework's version."""
    return paddle.__version__


def seed(number):
    paddle.seed(number)


def threads(number):
    paddle.base.core.set_num_threads(number)


def is_tensor(value):
    return isinstance(value, paddle.Tensor)


def is_module(value):
    return isinstance(value, paddle.nn.Layer)


def tensor(array):
    """A tensor of the array's dtype and shape that owns its memory."""
    return paddle.to_tensor(np.array(array))


def array(value):
    """The tensor's values; bfloat16, which numpy does not have, as float32."""
    value = value.detach()
    if dtype(value) == "bfloat16":
        value = value.astype("float32")
    return value.numpy()


def dtype(value):
    """The name of a tensor's dtype, ``float32``."""
    return str(value.dtype).split(".")[-1]


def evaluate(model):
    model.eval()


def no_grad():
    return paddle.no_grad()


def state(model):
    """Name -> array, for parameters and persistent buffers."""
    return {name: array(value) for name, value in model.state_dict().items()}


def shapes(model):
    """Name -> shape of what ``load_state`` fills."""
    return {name: tuple(value.shape) for name, value in model.state_dict().items()}


def load_state(model, arrays):
    """Fill parameters and buffers; names and shapes must be those of ``shapes``."""
    own = model.state_dict()
    # set_state_dict does not cast: the array must come in the parameter's own dtype.
    model.set_state_dict({name: tensor(value).astype(own[name].dtype) for name, value in arrays.items()})


def leaf(array):
    """A tensor that gradients are taken with respect to."""
    value = tensor(array)
    value.stop_gradient = False
    return value


def differentiable(value):
    """Whether a gradient can be taken of it."""
    return not value.stop_gradient


def gradients(outputs, weights, leaves):
    """The gradient of sum(weight * output) with respect to each leaf as an array; None where none reaches it."""
    found = paddle.grad(outputs, leaves, [tensor(weight) for weight in weights], allow_unused=True)
    return [None if value is None else array(value) for value in found]


def parameters(model):
    """Name -> parameter, for those that are trained."""
    return {name: value for name, value in model.named_parameters() if differentiable(value)}
