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
        leaves, count = list(call.leaves.values()) + list(parameters.values()), len(call.leaves)
        paths: list[str] = []

        def compute(values: list[Any]) -> list[Any]:
            args, kwargs = call.batch(0, dict(zip(call.leaves, values)))
            called = subject.call
            if subject.is_module:
                called = runtime.substituted(called, dict(zip(parameters, values[count:])))
            with runtime.recorded():
                found = differentiable(runtime, called(*args, **kwargs))
            paths[:] = found
            return list(found.values())

        if not leaves:
            return
        if second:
            outputs, gradients = runtime.pulled_back_twice(compute, leaves, count or len(leaves))
        else:
            outputs, gradients = runtime.pulled_back(compute, leaves)
        if not outputs:
            return
        found = gradients([weight(runtime, *item, subject.seed) for item in zip(paths, outputs)])
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


def differentiable(runtime: Any, returned: Any) -> dict[str, Any]:
    """The floating outputs that can be differentiated, by path."""
    found = walk(returned, runtime, "")[0]
    return {path: value for path, value in found.items() if runtime.is_tensor(value) and runtime.differentiable(value)}


def weight(runtime: Any, path: str, output: Any, seed: int) -> Any:
    """A weight for each element of an output."""
    random = np.random.default_rng([seed, zlib.crc32(path.encode())])
    drawn = random.standard_normal([int(size) for size in output.shape]).astype(np.float32)
    return drawn.astype(runtime.array(output).dtype)
