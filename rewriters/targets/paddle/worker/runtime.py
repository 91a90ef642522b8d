"""Paddle inside a worker: tensors to arrays and back, state, modes.

Loaded by path in the interpreter that has Paddle; imports nothing else than it and numpy.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys

import numpy as np
import paddle

MODULE = paddle.nn.Layer
LEVELS = ("outputs", "activations", "gradients", "steps", "double")

paddle.set_device("cpu")
paddle.jit.enable_to_static(False)  # layers are looked at one by one; static programs are checked apart


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
    value = dense(value).detach()
    if dtype(value) == "bfloat16":
        value = value.astype("float32")
    return value.numpy()


def dense(value):
    """A sparse tensor as a dense one: numpy() of it ends the process."""
    return value if value.is_dense() else value.to_dense()


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
    outputs = [dense(value) for value in outputs]
    found = paddle.grad(outputs, leaves, [tensor(weight) for weight in weights], allow_unused=True)
    return [None if value is None else array(value) for value in found]


def backward(outputs, weights, leaves):
    """As ``gradients``, by ``backward()``: what it leaves in ``grad``, which is empty before and after."""
    for value in leaves:
        value.clear_gradient(False)
    try:
        paddle.autograd.backward([dense(value) for value in outputs], [tensor(weight) for weight in weights])
        return [None if value.grad is None else _gradient(value) for value in leaves]
    finally:  # what failed half-way leaves some, to which training would add
        for value in leaves:
            value.clear_gradient(False)


def _gradient(value):
    """What backward left, of a table with sparse gradients in full."""
    if not value.grad.is_selected_rows():
        return array(value.grad)
    whole = np.zeros(value.shape, value.grad.numpy().dtype)
    np.add.at(whole, value.grad.rows(), value.grad.numpy())
    return whole


def second_gradients(outputs, weights, first, leaves):
    """The gradient of the sum of squares of the gradients with respect to ``first``; otherwise as ``backward``."""
    found = paddle.grad(outputs, first, [tensor(weight) for weight in weights], create_graph=True, allow_unused=True)
    squares = [(value * value).sum() for value in found if value is not None and not value.stop_gradient]
    if not squares:
        return [None for _ in leaves]
    return backward([sum(squares[1:], squares[0])], [np.ones([], np.float32)], leaves)


def parameters(model):
    """Name -> parameter, for those that are trained."""
    return {name: value for name, value in model.named_parameters() if differentiable(value)}


def modules(model):
    """(qualified name, module) of the model and all its parts."""
    return list(model.named_sublayers(include_self=True))


@contextlib.contextmanager
def hooked(model, before, after):
    """Have each call of a module told: ``before(name, module, args, kwargs)``, ``after(name, module, returned)``."""
    handles = []
    for name, module in modules(model):

        def enter(module, args, kwargs, name=name):
            before(name, module, args, kwargs)

        def leave(module, args, returned, name=name):
            after(name, module, returned)

        handles.append(module.register_forward_pre_hook(enter, with_kwargs=True))
        handles.append(module.register_forward_post_hook(leave))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def clone(value):
    """A copy through which gradients flow."""
    return value.clone()


@contextlib.contextmanager
def dropout(keep):
    """Have every dropout take its mask from ``keep(shape, p)``, True where an element stays."""

    def drop(x, p=0.5, axis=None, training=True, inplace=False, mode="upscale_in_train", name=None):
        upscale = mode == "upscale_in_train"
        if not training:
            return x if upscale else x * (1.0 - p)
        axes = range(x.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
        wanted = {number % x.ndim for number in axes}
        kept = keep([size if number in wanted else 1 for number, size in enumerate(x.shape)], p)
        scaled = kept.astype(np.float64) / (1.0 - p if upscale and p < 1.0 else 1.0)
        return x * paddle.to_tensor(scaled).astype(x.dtype)

    before, attention = paddle.nn.functional.dropout, paddle.nn.functional.scaled_dot_product_attention
    signature = inspect.signature(attention)

    @functools.wraps(attention)
    def attend(*args, **kwargs):
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        given = given.arguments
        query, key, value = (given[name].transpose([0, 2, 1, 3]) for name in ("query", "key", "value"))
        if given["dropout_p"] <= 0.0 or not given["training"] or query.shape[1] != key.shape[1]:
            return attention(*args, **kwargs)
        scale, mask = given.get("scale"), given["attn_mask"]
        scores = query @ key.transpose([0, 1, 3, 2]) * (query.shape[-1] ** -0.5 if scale is None else scale)
        if given["is_causal"]:
            mask = paddle.ones(scores.shape[-2:]).tril().astype("bool")
        if mask is not None and mask.dtype == paddle.bool:
            mask = paddle.where(mask, 0.0, float("-inf")).astype(scores.dtype)
        weights = paddle.nn.functional.softmax(scores if mask is None else scores + mask)
        return (drop(weights, given["dropout_p"]) @ value).transpose([0, 2, 1, 3])

    for place in _DROPOUTS:
        place.dropout = drop
    paddle.nn.functional.scaled_dot_product_attention = attend
    try:
        yield
    finally:
        for place in _DROPOUTS:
            place.dropout = before
        paddle.nn.functional.scaled_dot_product_attention = attention


@contextlib.contextmanager
def drawing(draws):
    """Have what draws random numbers take them from ``draws``: all of Paddle's functions call these operators."""
    operators = paddle._C_ops

    def shape_of(result):
        return tuple(result.shape)

    def weights(x):
        return x.numpy()

    values = {
        "gaussian": lambda result, shape, mean, std, *_: draws.normal(shape_of(result), _number(mean), _number(std)),
        "gaussian_inplace_": lambda result, x, mean, std, *_: draws.normal(shape_of(result), mean, std),
        "uniform": lambda result, shape, dtype, low, high, *_: draws.uniform(
            shape_of(result), _number(low), _number(high)
        ),
        "uniform_inplace_": lambda result, x, low, high, *_: draws.uniform(shape_of(result), low, high),
        "randint": lambda result, low, high, *_: draws.integers(shape_of(result), int(low), int(high)),
        "random_": lambda result, x, low, high, *_: draws.integers(shape_of(result), int(low), int(high)),
        "randperm": lambda result, count, *_: draws.permutation(int(count)),
        "exponential_": lambda result, x, rate, *_: draws.exponential(shape_of(result), rate),
        "bernoulli": lambda result, x, *_: draws.chances(weights(x)),
        "multinomial": lambda result, x, count, again, *_: draws.choices(weights(x), int(count), bool(again)),
    }

    def replaying(name, original):
        def draw(*args, **kwargs):
            if not paddle.in_dynamic_mode():  # a graph draws when it runs
                return original(*args, **kwargs)
            given = [value.detach().clone() if is_tensor(value) else value for value in args]  # before it changes
            result = original(*args, **kwargs)
            drawn = paddle.to_tensor(np.ascontiguousarray(values[name](result, *given))).astype(result.dtype)
            with paddle.no_grad():
                paddle.assign(drawn.reshape(result.shape), result)
            return result

        return draw

    before = {name: getattr(operators, name) for name in values}
    gumbel = operators.gumbel_softmax

    def gumbel_softmax(x, temperature, hard, axis):
        """As torch computes it."""
        if not paddle.in_dynamic_mode():
            return gumbel(x, temperature, hard, axis)
        noise = paddle.to_tensor(-np.log(draws.exponential(shape_of(x)))).astype(x.dtype)
        soft = paddle.nn.functional.softmax((x + noise) / temperature, axis)
        if not hard:
            return soft
        whole = paddle.zeros_like(soft).put_along_axis(soft.argmax(axis, keepdim=True), 1.0, axis)
        return whole - soft.detach() + soft

    for name, original in before.items():
        setattr(operators, name, replaying(name, original))
    operators.gumbel_softmax = gumbel_softmax
    try:
        yield
    finally:
        for name, original in before.items():
            setattr(operators, name, original)
        operators.gumbel_softmax = gumbel


def _number(value):
    return float(value.item()) if is_tensor(value) else float(value)


# dropout2d and dropout3d call the one of the module that defines them.
_DROPOUTS = (paddle.nn.functional, sys.modules[paddle.nn.functional.dropout.__module__])


@contextlib.contextmanager
def recorded():
    """Have recurrent layers in eval mode keep what their gradient needs: as training ones without dropout."""
    layers, kernels = sys.modules[paddle.nn.LSTM.__module__], paddle._C_ops

    class Kernels:
        def __getattr__(self, name):
            return getattr(kernels, name)

        def rnn(self, *args):
            *given, testing = args
            dropped = 5  # where its argument dropout_prob stands
            return kernels.rnn(*given[:dropped], 0.0 if testing else given[dropped], *given[dropped + 1 :], False)

    layers._C_ops = Kernels()
    try:
        yield
    finally:
        layers._C_ops = kernels


def train(model):
    model.train()


def train_step(compute, model, optimizer, scheduler):
    """One step on the loss that ``compute`` returns of the model; the loss as an array."""
    loss = compute(model)
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    optimizer.clear_grad()
    return array(loss)
