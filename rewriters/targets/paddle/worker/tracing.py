"""While a Paddle model is traced to be exported: what a program in the making is asked that only tensors know, and
operators that paddle2onnx lacks said by others.

Loaded by path in the interpreter that has Paddle; imports nothing else than it.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.metadata
import inspect
import os
import sys

import paddle
from paddle import _C_ops

Value = paddle.pir.Value
functional = paddle.nn.functional


@contextlib.contextmanager
def traced(model, project, form):
    """What is traced inside goes through the code that tensors would; ``form``: "onnx" where ONNX is made of it."""
    changes = [
        *((module, "isinstance", is_of) for module in modules_in(project)),
        *((owner, "view", view) for owner in (paddle, paddle.tensor.manipulation, Value)),
        *((Value, name, said) for name, said in OF_TENSORS.items()),
        *((_C_ops, name, said) for name, said in (LACKING.items() if form == "onnx" else ())),
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


def softplus(x, beta=1.0, threshold=20.0, *, plain=_C_ops.softplus):
    """paddle2onnx has that of beta 1 and threshold 20."""
    if (beta, threshold) == (1, 20):
        return plain(x, beta, threshold)
    scaled = x * beta
    return paddle.where(scaled > threshold, x, plain(scaled, 1, 20) / beta)


OF_TENSORS = {
    "place": property(lambda self: paddle.framework._current_expected_place()),
    "data": property(lambda self: self),
    "is_dense": lambda self: True,
    "is_sparse": lambda self: False,
    "is_sparse_coo": lambda self: False,
    "is_sparse_csr": lambda self: False,
    "is_selected_rows": lambda self: False,
}
"""What only tensors say of themselves, of values in a program."""

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
        rrelu,
        softplus,
        stanh,
    )
}
"""By the names of Paddle's operators: those that paddle2onnx knows no ONNX of, or not as they are."""
