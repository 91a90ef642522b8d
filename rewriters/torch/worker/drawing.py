"""torch's random numbers, taken from what draws them for both sides.

Loaded by path in the interpreter that has torch; imports nothing else than it and numpy.
"""

from __future__ import annotations

import contextlib

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode

aten = torch.ops.aten


@contextlib.contextmanager
def drawing(draws):
    """Have what draws random numbers take them from ``draws``, and torch's generator stand where it stood."""
    with _Drawing(draws):
        yield


class _Drawing(TorchDispatchMode):
    """Sees the operators that all of torch's functions come to."""

    def __init__(self, draws):
        super().__init__()
        self.draws = draws

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        values = _VALUES.get(func)
        if values is None:
            return func(*args, **(kwargs or {}))
        given = [value.clone() if isinstance(value, torch.Tensor) else value for value in args]  # before it changes
        state = torch.get_rng_state()
        result = func(*args, **(kwargs or {}))
        torch.set_rng_state(state)
        drawn = values(self.draws, tuple(result.shape), *given)
        return result.copy_(torch.from_numpy(np.ascontiguousarray(drawn)).reshape(result.shape))


def _plain(value):
    return value.numpy() if isinstance(value, torch.Tensor) else value


def _normal(draws, shape, *_):
    return draws.normal(shape)


def _normal_of(draws, shape, mean=0.0, std=1.0, *_):
    return draws.normal(shape, _plain(mean), _plain(std))


def _normal_into(draws, shape, x, mean=0.0, std=1.0, *_):
    return draws.normal(shape, mean, std)


def _uniform(draws, shape, *_):
    return draws.uniform(shape)


def _uniform_into(draws, shape, x, low=0.0, high=1.0, *_):
    return draws.uniform(shape, low, high)


def _below(draws, shape, high, *_):
    return draws.integers(shape, 0, high)


def _between(draws, shape, low, high, *_):
    return draws.integers(shape, low, high)


def _below_like(draws, shape, x, high, *_):
    return draws.integers(shape, 0, high)


def _between_like(draws, shape, x, low, high=None, *_):
    return draws.integers(shape, low, 2**31 - 1 if high is None else high)


def _permutation(draws, shape, count, *_):
    return draws.permutation(count)


def _exponential(draws, shape, x, rate=1.0, *_):
    return draws.exponential(shape, rate)


def _chances(draws, shape, x, *_):
    return draws.chances(x.numpy())


def _chances_of(draws, shape, x, p=0.5, *_):
    return draws.chances(np.broadcast_to(_plain(p), shape))


def _choices(draws, shape, weights, count, again=False, *_):
    return draws.choices(weights.numpy(), count, again)


_VALUES = {
    aten.randn.default: _normal,
    aten.randn.generator: _normal,
    aten.randn_like.default: _normal,
    aten.normal.Tensor_float: _normal_of,
    aten.normal.float_Tensor: _normal_of,
    aten.normal.Tensor_Tensor: _normal_of,
    aten.normal.float_float: _normal_of,
    aten.normal_.default: _normal_into,
    aten.rand.default: _uniform,
    aten.rand.generator: _uniform,
    aten.rand_like.default: _uniform,
    aten.uniform_.default: _uniform_into,
    aten.randint.default: _below,
    aten.randint.low: _between,
    aten.randint.generator: _below,
    aten.randint.low_generator: _between,
    aten.randint_like.default: _below_like,
    aten.randint_like.low_dtype: _between_like,
    getattr(aten.random_, "from"): _between_like,
    aten.random_.to: _below_like,
    aten.randperm.default: _permutation,
    aten.randperm.generator: _permutation,
    aten.exponential_.default: _exponential,
    aten.bernoulli.default: _chances,
    aten.bernoulli.p: _chances_of,
    aten.bernoulli_.float: _chances_of,
    aten.bernoulli_.Tensor: _chances_of,
    aten.multinomial.default: _choices,
}
"""Operator -> what it draws, called with its own arguments behind (draws, shape)."""
