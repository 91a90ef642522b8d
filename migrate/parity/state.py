"""The weights of a check: out of a checkpoint, and from torch's layout into the target's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

import rewriters.weights.recipe
from checks.worker import arrays
from migrate.errors import Unusable
from migrate.weights.carry.carry import carry
from migrate.weights.carry.model import Model
from migrate.weights.carry.special import special_modules
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.readers.opening import open_checkpoint
from migrate.weights.readers.tensor import TensorRef
from rewriters.rules.layouts import layouts
from rewriters.rules.rulebook import RuleError
from rewriters.target import Target

RECIPES = Path(rewriters.weights.recipe.__file__)
"""What a worker reads the recipes of ``LaidOut`` with."""


def read_weights(path: Path, folder: Path) -> None:
    """Write the model's tensors in the checkpoint to ``folder``, one at a time. Raises Unusable."""
    with open_checkpoint(path) as checkpoint:
        found = find_state_dict(checkpoint)
        arrays.write(folder, ((name, tensor.load()) for name, tensor in found.tensors.items()))


@dataclass(frozen=True)
class Origin:
    """The torch project that a conversion was made of, and what ``describe.py`` says of its model."""

    source: Path
    described: Mapping[str, Any]


@dataclass(frozen=True)
class LaidOut:
    """How the target stores torch's state.

    layout:  (the target's name, its recipe as JSON).
    shapes:  of torch's tensors.
    dropped: torch's names of which the target has nothing.
    """

    layout: list[tuple[str, dict[str, Any]]]
    shapes: dict[str, list[int]]
    dropped: frozenset[str]

    def command(self) -> dict[str, Any]:
        """As the worker's ``state`` takes it."""
        return {"layout": self.layout, "shapes": self.shapes, "recipes": str(RECIPES)}


def lay_out(origin: Origin, state: Mapping[str, np.ndarray], target: Target, name: str) -> LaidOut:
    """The layout of a torch model's state in the target.

    origin: what was converted. name: of the target, as ``--to`` takes it.
    Raises Unusable: a class without a rule, a rule file that cannot be read.
    """
    reader, described = _Arrays(state), origin.described
    tensors = {key: reader.refer(key) for key in state}
    try:
        converted = {name: special_modules(described, origin.source, target)}
        model = Model.from_json({**described, "converted": converted}).as_converted(name)
        moves = carry(tensors, model, layouts(name), target.title)
    except RuleError as error:
        raise Unusable(str(error), f"mend the rules of {target.title}") from None
    for move in moves:
        if any(recipe.zero for recipe in move.recipes):
            move.lay_out({key: state[key] for key, _ in move.sources})  # refuses what the target has no place for
    layout = [
        (entry.name, recipe.to_json())
        for move in moves
        for entry, recipe in zip(move.entries, move.recipes, strict=True)
    ]
    dropped = frozenset(name for move in moves if move.dropped for name, _ in move.sources)
    return LaidOut(layout, {key: list(array.shape) for key, array in state.items()}, dropped)


class _Arrays:
    """A state that is already at hand, in the shape of a checkpoint's reader."""

    def __init__(self, state: Mapping[str, np.ndarray]) -> None:
        self.state = state

    def refer(self, name: str) -> TensorRef:
        array = self.state[name]
        strides = tuple(prod(array.shape[axis + 1 :]) for axis in range(array.ndim))
        return TensorRef(array.dtype.name, array.shape, strides, 0, name, self)

    def load(self, tensor: TensorRef) -> np.ndarray:
        return self.state[tensor.storage]
