"""While a Paddle model is traced to be exported: what a program in the making is asked that only tensors know, and
operators that paddle2onnx lacks said by others.

Loaded by path in the interpreter that has Paddle; imports nothing else than it.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib.metadata
import inspect
import os
import sys

import paddle
from paddle import _C_ops
from paddle.jit.dy2static import parameter_recorder

dy2static = paddle.jit.dy2static
Value = paddle.pir.Value
functional = paddle.nn.functional


@contextlib.contextmanager
def traced(model, project, form):
    """What is traced inside goes through the code that tensors would; ``form``: "onnx" where ONNX is made of it."""
    changes = [
        *((module, "isinstance", is_of) for module in modules_in(project)),
        *((owner, "view", view) for owner in (paddle, paddle.tensor.manipulation, Value)),
        *((Value, name, said) for name, said in OF_TENSORS.items()),
        *((Value, name, in_place(name)) for name in changing()),
        (dy2static, "Shape", sizes),
        (dy2static.convert_operators, "StaticPyLayer", Forward),
        *((_C_ops, name, over(said)) for name, said in (LACKING.items() if form == "onnx" else ())),
    ]
    paddle.jit.ignore_module(installed(modules_in(project)))
    with put(changes), dense(model):
        yield


@contextlib.contextmanager
def put(changes):
    """Attributes for a while: (owner, name, value)."""
    before = [(owner, name, vars(owner).get(name)) for owner, name, _ in changes]
    try:
        for owner, name, value in changes:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in reversed(before):
            if value is None:
                delattr(owner, name)
            else:
                setattr(owner, name, value)


def modules_in(folder):
    """Modules whose files lie in the folder."""
    files = [(module, getattr(module, "__file__", None)) for module in list(sys.modules.values())]
    return [module for module, file in files if file and os.path.abspath(file).startswith(folder + os.sep)]


def installed(modules):
    """Packages that were installed, as far as these modules have something of them: they are run, not transformed."""
    names = set()
    for module in modules:
        for value in list(vars(module).values()):
            owner = value if inspect.ismodule(value) else inspect.getmodule(value)
            names.add(getattr(owner, "__name__", "").partition(".")[0])
    held = importlib.metadata.packages_distributions()
    return [sys.modules[name] for name in sorted(names - {"paddle"}) if name in held and name in sys.modules]


def over(said):
    """An operator's other form, given the operator itself where it asks for it."""
    if "plain" not in inspect.signature(said).parameters:
        return said
    return functools.partial(said, plain=getattr(_C_ops, said.__name__))


@contextlib.contextmanager
def dense(model):
    """Without the model's sparse buffers, which Paddle does not save."""
    held = [
        (layer._buffers, name, value)
        for layer in model.sublayers(include_self=True)
        for name, value in layer._buffers.items()
        if value is not None and not value.is_dense()
    ]
    for buffers, name, _ in held:
        del buffers[name]
    try:
        yield
    finally:
        for buffers, name, value in held:
            buffers[name] = value


@paddle.jit.not_to_static
def is_of(value, kind):
    """``isinstance``, for which what is traced is a tensor."""
    if builtins.isinstance(value, Value):
        kinds = kind if builtins.isinstance(kind, tuple) else (kind,)
        return paddle.Tensor in kinds or builtins.isinstance(value, kind)
    return builtins.isinstance(value, kind)


def changing():
    """The methods that change a tensor in place and say what others of its methods do."""
    names = [name[:-1] for name in dir(paddle.Tensor) if name.endswith("_") and not name.startswith("_")]
    return [f"{name}_" for name in names if hasattr(Value, name)]


def in_place(name):
    """Such a method in a program, whose values never change: from then on the code reads the new one in its place. What
    Paddle has in its place is lost where its result is not used.
    """
    plain = getattr(Value, name[:-1])

    @paddle.jit.not_to_static
    def changed(self, *args, **kwargs):
        found = plain(self, *args, **kwargs)
        if list(found.shape) == list(self.shape) and found.dtype != self.dtype:
            found = found.astype(self.dtype)
        parameter_recorder._global_inplace_map.add(paddle.static.default_main_program(), self, found)
        return found

    return changed


@paddle.jit.not_to_static
def sizes(x, plain=dy2static.Shape):
    """A tensor's: equal to a tuple of the same, and added to one, as Paddle's own are."""
    found = plain(x)
    if builtins.isinstance(found, list) and not builtins.isinstance(found, paddle.Size):
        known = all(builtins.isinstance(size, int) for size in found)
        found = paddle.Size(found) if known else Sizes(found)
    return found


class Sizes(list):
    """Sizes, some of them free: two free ones are taken for equal, which ``hold`` then tries."""

    __hash__ = None

    def __eq__(self, other):
        if not builtins.isinstance(other, (list, tuple)) or len(self) != len(other):
            return False
        pairs = list(zip(self, other, strict=True))
        free = [[builtins.isinstance(size, Value) for size in pair] for pair in pairs]
        return all(all(which) or (not any(which) and a == b) for which, (a, b) in zip(free, pairs, strict=True))

    def __ne__(self, other):
        return not self == other

    def __add__(self, other):
        return Sizes([*self, *other])

    def __radd__(self, other):
        return Sizes([*other, *self])

    def __getitem__(self, index):
        found = super().__getitem__(index)
        return Sizes(found) if builtins.isinstance(index, slice) else found


class Forward:
    """A function with a backward of its own, in a program that has no use for that."""

    def __init__(self, layer):
        self.layer = layer

    @paddle.jit.not_to_static
    def apply(self, *args, **kwargs):
        return dy2static.Call(self.layer.forward)(Context(), *args, **kwargs)


class Context:
    """What its forward is given."""

    saved = ()

    def save_for_backward(self, *values):
        self.saved = values

    def saved_tensor(self):
        return self.saved

    def ignored(self, *values):
        """What is said of gradients."""

    mark_not_inplace = mark_non_differentiable = set_materialize_grads = ignored


def view(x, *shape, **named):
    """Of another shape; programs have no views."""
    if named:
        (shape,) = named.values()
    elif len(shape) == 1 and not builtins.isinstance(shape[0], int):
        (shape,) = shape
    if not builtins.isinstance(shape, (list, tuple)):
        raise NotImplementedError("a tensor's memory seen with another dtype")
    return paddle.reshape(x, shape)


def masked_fill(x, mask, value):
    return paddle.where(mask, value.astype(x.dtype), x)


def broadcast_tensors(input):
    whole = sum(paddle.zeros_like(value, dtype="float32") for value in input)
    return [paddle.expand_as(value, whole) for value in input]


def hardtanh(x, low, high):
    return paddle.clip(x, low, high)


def celu(x, alpha):
    return alpha * functional.elu(x / alpha)


def stanh(x, inner, outer):
    return outer * paddle.tanh(inner * x)


def logit(x, eps):
    if eps:
        x = paddle.clip(x, eps, 1 - eps)
    return paddle.log(x / (1 - x))


def rrelu(x, low, high, is_test):
    if not is_test:
        raise NotImplementedError("rrelu draws numbers while it trains")
    return functional.leaky_relu(x, (low + high) / 2)


def isclose(x, y, rtol=1e-5, atol=1e-8, equal_nan=False):
    close = (x == y) | ((x - y).abs() <= atol + rtol * y.abs())
    return close | (paddle.isnan(x) & paddle.isnan(y)) if equal_nan else close


def allclose(x, y, rtol=1e-5, atol=1e-8, equal_nan=False):
    return paddle.all(isclose(x, y, rtol, atol, equal_nan))


def softplus(x, beta=1.0, threshold=20.0, *, plain):
    """paddle2onnx has that of beta 1 and threshold 20."""
    if (beta, threshold) == (1, 20):
        return plain(x, beta, threshold)
    scaled = x * beta
    return paddle.where(scaled > threshold, x, plain(scaled, 1, 20) / beta)


def yes(self):
    return True


def no(self):
    return False


# Lambdas would be transformed with the lines that they stand in.
OF_TENSORS = {
    "place": property(lambda self: paddle.framework._current_expected_place()),
    "data": property(lambda self: self),
    "is_dense": yes,
    "is_sparse": no,
    "is_sparse_coo": no,
    "is_sparse_csr": no,
    "is_selected_rows": no,
}
"""What only tensors say of themselves, of values in a program."""


def rnn(x, states, weights, lengths, dropped, dropout, both, input_size, size, layers, mode, seed, is_test, *, plain):
    """Layer by layer: of several, paddle2onnx gives the last one's states as those of all."""
    ways = 2 if both else 1
    half, each = layers * ways * 2, ways * 2  # weights come first, then biases
    ends = [[] for _ in states]
    for layer in range(layers):
        part, held = slice(layer * each, (layer + 1) * each), slice(layer * ways, (layer + 1) * ways)
        own = [*weights[:half][part], *weights[half:][part]]
        begin = [state[held] for state in states]
        x, dropped, found = plain(
            x, begin, own, lengths, dropped, dropout, both, size * ways if layer else input_size, size, 1, mode, seed,
            is_test,
        )  # fmt: skip
        for kept, state in zip(ends, found, strict=True):
            kept.append(state)
    return x, dropped, [paddle.concat(kept) for kept in ends]


LACKING = {
    said.__name__: said
    for said in (
        allclose,
        broadcast_tensors,
        celu,
        hardtanh,
        isclose,
        logit,
        masked_fill,
        rnn,
        rrelu,
        softplus,
        stanh,
    )
}
"""By the names of Paddle's operators: those that paddle2onnx knows no ONNX of, or not as they are."""
