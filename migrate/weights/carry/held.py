"""Arrays that are in memory, as a checkpoint's tensors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from migrate.weights.readers.tensor import TensorRef


@dataclass
class Held:
    """A reader of arrays."""

    arrays: Mapping[str, np.ndarray]

    def load(self, tensor: TensorRef) -> np.ndarray:
        """A copy."""
        return np.array(self.arrays[tensor.storage]).reshape(tensor.shape)


def held(arrays: Mapping[str, np.ndarray]) -> dict[str, TensorRef]:
    """Name -> tensor."""
    reader = Held(arrays)
    return {name: referred(array.dtype.name, array.shape, name, reader) for name, array in arrays.items()}


def referred(dtype: str, shape: tuple[int, ...], storage: str, reader: Any) -> TensorRef:
    """A contiguous tensor of a reader; dtype by its name."""
    strides = tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))
    return TensorRef(dtype, tuple(shape), strides, 0, storage, reader)
