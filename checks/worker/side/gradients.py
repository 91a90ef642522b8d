"""Gradients of parameters and inputs, and the gradients of those.

The scalar that is differentiated is the sum of all floating outputs, each element weighted by a seeded normal number,
in eval mode, by ``backward()`` as in training: some code, such as re-entrant checkpoints, allows nothing else. For the
second order it is the sum of squares of the gradients with respect to the floating inputs (without any: to the
parameters); those are asked for by the framework's ``grad``, which is how programs that differentiate them do it.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from ..structure import walk

INPUT = "input "


def body(subject: Any, second: bool = False) -> Any:
    """What ``runs.compute`` runs, with ``graph``. A record per parameter and input; a gradient of None is zeros."""

    def differentiate(call: Any) -> None:
        runtime, out = subject.runtime, call.out
        parameters = runtime.parameters(subject.call) if subject.is_module else {}
        args, kwargs = call.batch(0)
        outputs, weights = weighted(runtime, subject.call(*args, **kwargs), subject.seed)
        leaves = list(call.leaves.values()) + list(parameters.values())
        if not outputs or not leaves:
            return
        if second:
            first = list(call.leaves.values()) or list(parameters.values())
            found = runtime.second_gradients(outputs, weights, first, leaves)
        else:
            found = runtime.backward(outputs, weights, leaves)
        count = len(call.leaves)
        for name, leaf, gradient in zip(call.leaves, leaves, found[:count]):
            record(runtime, out, INPUT + name, leaf, gradient, "input")
        named = dict(zip(parameters, found[count:]))
        full = {name: zeros(parameters[name]) if value is None else value for name, value in named.items()}
        reached = {name: np.full(array.shape, named[name] is not None) for name, array in full.items()}
        flags = {name: bool(flag.any()) for name, flag in subject.as_torch(reached, gradients=True)}
        for name, gradient in subject.as_torch(full, gradients=True):
            out.array(name, gradient, str(gradient.dtype), kind="parameter", none=not flags[name])

    return differentiate


def record(runtime: Any, out: Any, name: str, leaf: Any, gradient: Any, kind: str) -> None:
    """A gradient, zeros for None."""
    value = zeros(leaf) if gradient is None else gradient
    out.array(name, value, str(value.dtype), kind=kind, none=gradient is None)


def zeros(value: Any) -> Any:
    """No gradient is a gradient of zeros."""
    return np.zeros([int(size) for size in value.shape], np.float32)


def weighted(runtime: Any, returned: Any, seed: int) -> tuple[list[Any], list[Any]]:
    """The floating outputs that can be differentiated, and a weight for each of their elements."""
    outputs, weights = [], []
    for path, tensor in walk(returned, runtime, "")[0].items():
        if not runtime.is_tensor(tensor) or not runtime.differentiable(tensor):
            continue
        random = np.random.default_rng([seed, zlib.crc32(path.encode())])
        drawn = random.standard_normal([int(size) for size in tensor.shape]).astype(np.float32)
        outputs.append(tensor)
        weights.append(drawn.astype(runtime.array(tensor).dtype))
    return outputs, weights
