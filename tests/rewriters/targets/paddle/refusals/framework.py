"""Paddle, as its probes are run, and what they share."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

# What a probe in machines.py looks for: Paddle reads these when it is imported.
os.environ |= {"FLAGS_allocator_strategy": "naive_best_fit", "FLAGS_fraction_of_gpu_memory_to_use": "0.25"}

import paddle
from probing import Framework, fails

FRAMEWORK = Framework(
    package="paddle",
    classes=(paddle.Tensor, paddle.nn.Layer, paddle.optimizer.Optimizer, paddle.Generator),
    inside=("libpaddle",),  # named by their bindings, not for people
    reset=lambda: paddle.set_device("cpu"),
)


def has_no_kernel(call: Callable[[], Any]) -> None:
    """The call finds no kernel of an operator for its dtype."""
    fails(RuntimeError, call, "kernel")


def wanting_gradient(*shape: int) -> Any:
    """A leaf of random numbers that takes a gradient."""
    found = paddle.rand(list(shape))
    found.stop_gradient = False
    return found
