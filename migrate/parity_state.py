"""The weights of a check: out of a checkpoint, and from torch's layout into the target's."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from checks import arrays
from migrate.errors import Unusable
from migrate.weights.carry import carry
from migrate.weights.model import Model
from migrate.weights.state_dict import find_state_dict
from migrate.weights.tensor import TensorRef
from migrate.weights.torch_zip import Checkpoint
from rewriters.layouts import layouts
from rewriters.rulebook import RuleError
from rewriters.target import Target


def read_weights(path: Path, folder: Path) -> None:
    """Write the model's tensors in the checkpoint to ``folder``, one at a time. Raises Unusable."""
    with Checkpoint(path) as checkpoint:
        found = find_state_dict(checkpoint)
        arrays.write(folder, ((name, tensor.load()) for name, tensor in found.tensors.items()))


def carry_state(
    described: Mapping[str, Any], state: Mapping[str, np.ndarray], target: Target, name: str, folder: Path
) -> None:
    """Write the state of a torch model to ``folder`` as the target lays it out.

    described:  what ``rewriters/source/describe.py`` says of the model.
    name:       of the target, as ``--to`` takes it.
    Raises Unusable: a class without a rule, a rule file that cannot be read.
    """
    reader = _Arrays(state)
    tensors = {key: reader.refer(key) for key in state}
    try:
        moves = carry(tensors, Model.from_json(described), layouts(name), target.title)
    except RuleError as error:
        raise Unusable(str(error), f"mend the rules of {target.title}") from None
    arrays.write(folder, ((entry.name, array) for move in moves for entry, array in move.load()))


class _Arrays:
    """A state that is already at hand, in the shape of a checkpoint's reader."""

    def __init__(self, state: Mapping[str, np.ndarray]) -> None:
        self.state = state

    def refer(self, name: str) -> TensorRef:
        array = self.state[name]
        strides = tuple(prod(array.shape[axis + 1 :]) for axis in range(array.ndim))
        return TensorRef(array.dtype, array.shape, strides, 0, name, self)

    def load(self, tensor: TensorRef) -> np.ndarray:
        return self.state[tensor.storage]
