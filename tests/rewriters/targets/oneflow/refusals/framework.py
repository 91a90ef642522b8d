"""OneFlow 0.9, as its probes are run, and what they share. Its answers on a GPU are not tried."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import oneflow
from probing import Framework

FRAMEWORK = Framework(
    package="oneflow",
    aliases=("torch",),  # converted sources say `import oneflow as torch`
    classes=(oneflow.Tensor, oneflow.nn.Module, oneflow.optim.Optimizer, oneflow._oneflow_internal.Generator),
    inside=("_pb2", "oneflow.core", "test_utils"),  # messages between its parts, and its own tests
    reset=lambda: None,
)

# what it raises of its own; beside that, RuntimeError
OwnError: type[Exception] = oneflow._oneflow_internal.exception.Exception


def wanting_gradient(*shape: int) -> Any:
    """A leaf of random numbers that takes a gradient."""
    return oneflow.rand(*shape).requires_grad_()


def python(code: str) -> subprocess.CompletedProcess[str]:
    """What another process of the interpreter makes of this; for what ends the process."""
    return subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)


def named(owner: Any, *parts: str) -> list[str]:
    """What of it for people has one of these in its name."""
    return [name for name in dir(owner) if name[0] != "_" and any(part in name.lower() for part in parts)]
