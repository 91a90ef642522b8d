"""What the layers of a model return on the way to what is exported, so that an artefact's tensors can be told by it."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import numpy as np

from .. import arrays
from .forward import Layers

LAYER, INPUT = "layer:", "input:"
"""Before the names of arrays: calls of layers (``fc``, ``fc#2``), and inputs of the artefact."""


class Kept:
    """Takes records of layers that return one floating tensor, as they are at that time."""

    def __init__(self, runtime: Any) -> None:
        self.runtime = runtime
        self.found: dict[str, Any] = {}

    def record(self, name: str, value: Any, **more: Any) -> None:
        """One call of a layer."""
        if self.runtime.is_tensor(value):
            array = np.array(self.runtime.array(value))
            if array.dtype.kind == "f":
                self.found[name] = array

    def write(self, folder: str, inputs: dict[str, Any]) -> None:
        """To a folder of arrays, with the inputs that they came of."""
        named = {LAYER + name: array for name, array in self.found.items()}
        arrays.write(folder, {**named, **{INPUT + name: array for name, array in inputs.items()}})


@contextlib.contextmanager
def kept(subject: Any, wanted: Any) -> Iterator[Any]:
    """While this is open calls of layers are kept; None where they are not wanted."""
    if not wanted:
        yield None
        return
    found = Kept(subject.runtime)
    with Layers(subject, found).watch():
        yield found
