"""The runtime of a side that has no framework: a back end, which takes and gives numpy's arrays."""

from __future__ import annotations

import contextlib
from typing import Any, ContextManager

import numpy as np


def version() -> str:
    """Of numpy; what runs the artefact says its own."""
    return str(np.__version__)


def seed(number: int) -> None:
    """Nothing is drawn."""


def threads(number: int) -> None:
    """A back end is told when it loads."""


def is_tensor(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def is_module(value: Any) -> bool:
    return False


def tensor(array: Any) -> Any:
    """The array, owning its memory."""
    return np.array(array)


def array(value: Any) -> Any:
    return value


def dtype(value: Any) -> str:
    return str(value.dtype)


def evaluate(model: Any) -> None:
    """An artefact has no modes."""


def no_grad() -> ContextManager[None]:
    return contextlib.nullcontext()


def state(model: Any) -> dict[str, Any]:
    return {}


def shapes(model: Any) -> dict[str, tuple[int, ...]]:
    return {}


def load_state(model: Any, arrays: dict[str, Any]) -> None:
    """What it holds is its own."""
