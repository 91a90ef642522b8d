"""OneFlow inside a worker: tensors to arrays and back, state, modes.

Loaded by path in the interpreter that has OneFlow; imports nothing else than it and numpy.
"""

from __future__ import annotations

import contextlib

import numpy as np
import oneflow

MODULE = oneflow.nn.Module
LEVELS = ("outputs", "activations", "gradients", "steps", "double")


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
    for value in leaves:
        value.grad = None
    try:
        oneflow.autograd.backward(outputs, [tensor(weight) for weight in weights])
        return [None if value.grad is None else array(value.grad) for value in leaves]
    finally:  # what failed half-way leaves some, to which training would add
        for value in leaves:
            value.grad = None


backward = gradients


def second_gradients(outputs, weights, first, leaves):
    """The gradient of the sum of squares of the gradients with respect to ``first``; otherwise as ``backward``."""
    weights = [tensor(weight) for weight in weights]
    found = oneflow.autograd.grad(outputs, first, weights, create_graph=True)
    squares = [(value * value).sum() for value in found if value is not None and value.requires_grad]
    if not squares:
        return [None for _ in leaves]
    return gradients([sum(squares[1:], squares[0])], [np.float32(1)], leaves)


def parameters(model):
    """Name -> parameter, for those that are trained."""
    return {name: value for name, value in model.named_parameters() if differentiable(value)}


def modules(model):
    """(qualified name, module) of the model and all its parts."""
    return list(model.named_modules())


@contextlib.contextmanager
def hooked(model, before, after):
    """Have each call of a module told: ``before(name, module, args, kwargs)``, ``after(name, module, returned)``."""
    held = []
    for name, module in modules(model):

        def enter(module, args, name=name):
            before(name, module, args, {})

        def leave(module, args, returned, name=name):
            after(name, module, returned)

        # Registering returns no handle to remove a hook by.
        held += [(module._forward_pre_hooks, enter), (module._forward_hooks, leave)]
        module.register_forward_pre_hook(enter)
        module.register_forward_hook(leave)
    try:
        yield
    finally:
        for hooks, hook in held:
            for key in [key for key, value in hooks.items() if value is hook]:
                del hooks[key]


def clone(value):
    """A copy through which gradients flow."""
    return value.clone()


def recorded():
    """All that is computed keeps what its gradient needs by itself."""
    return contextlib.nullcontext()


@contextlib.contextmanager
def dropout(keep):
    """Have every dropout take its mask from ``keep(shape, p)``, True where an element stays."""

    def whole(spatial):
        def drop(x, p=0.5, training=True, inplace=False, generator=None, addend=None):
            if training:
                shape = list(x.shape)
                if spatial:
                    first = 1 if len(shape) == spatial + 1 and spatial != 2 else 2
                    shape = shape[:first] + [1] * (len(shape) - first)
                scaled = keep(shape, p).astype(np.float64) / (1.0 - p if p < 1.0 else 1.0)
                x = x * oneflow.tensor(scaled).to(x.dtype)
            return x if addend is None else x + addend

        return drop

    saved = []
    for place in (oneflow._C, oneflow.nn.functional):
        for spatial, name in enumerate(("dropout", "dropout1d", "dropout2d", "dropout3d")):
            if hasattr(place, name):
                saved.append((place, name, getattr(place, name)))
                setattr(place, name, whole(spatial))
    try:
        yield
    finally:
        for place, name, original in saved:
            setattr(place, name, original)


def _filled(result, values):
    """The tensor that a function gave, with these values."""
    with oneflow.no_grad():
        result.copy_(oneflow.tensor(np.ascontiguousarray(values)).to(result.dtype))
    return result


def _bounds(args, kwargs):
    """(low, high) of ``randint(high, size)`` or ``randint(low, high, size)``."""
    numbers = [value for value in args[:2] if isinstance(value, int)]
    numbers += [kwargs[key] for key in ("low", "high") if key in kwargs]
    return (0, *numbers)[-2:]


@contextlib.contextmanager
def drawing(draws):
    """Have what draws random numbers take them from ``draws``."""

    def values(name, result, args, kwargs):
        shape = result.shape
        if name in ("randn", "randn_like"):
            return draws.normal(shape)
        if name == "normal":
            given = [value.numpy() if is_tensor(value) else value for value in args[:2]]
            return draws.normal(shape, *given, **{key: kwargs[key] for key in ("mean", "std") if key in kwargs})
        if name == "rand":
            return draws.uniform(shape)
        if name == "uniform_":
            return draws.uniform(shape, *args[1:3])
        if name == "exponential_":
            return draws.exponential(shape, *args[1:2])
        if name == "randperm":
            return draws.permutation(result.shape[0])
        if name in ("randint", "randint_like"):
            return draws.integers(shape, *_bounds(args[name == "randint_like" :], kwargs))
        if name == "multinomial":
            return draws.choices(args[0].numpy(), result.shape[-1], bool((*args, False, False)[2]))
        given = args[1] if len(args) > 1 else kwargs.get("p", args[0])
        return draws.chances(given.numpy() if is_tensor(given) else np.full(tuple(shape), given))

    def replaying(name, original):
        def draw(*args, **kwargs):
            if oneflow._oneflow_internal.lazy_mode.is_enabled():  # a graph draws when it runs
                return original(*args, **kwargs)
            given = [value.detach().clone() if is_tensor(value) else value for value in args]  # before it changes
            result = original(*args, **kwargs)
            return _filled(result, values(name, result, given, kwargs))

        return draw

    saved = []
    for name in _DRAWING:
        for place in (oneflow, oneflow._C):
            if hasattr(place, name):
                saved.append((place, name, getattr(place, name)))
                setattr(place, name, replaying(name, getattr(place, name)))
    try:
        yield
    finally:
        for place, name, original in saved:
            setattr(place, name, original)


_DRAWING = (
    *("rand", "randn", "randn_like", "randint", "randint_like", "randperm", "normal", "bernoulli", "multinomial"),
    *("uniform_", "exponential_"),
)


def train(model):
    model.train()


def train_step(compute, model, optimizer, scheduler):
    """One step on the loss that ``compute`` returns of the model; the loss as an array."""
    optimizer.zero_grad(set_to_none=True)
    loss = compute(model)
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return array(loss)
