"""A sample's module state, its gradients and what a call changed of it, laid out as the target has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from migrate.weights.carry import Layouts, Move, carry
from migrate.weights.model import Model
from migrate.weights.tensor import TensorRef

RUNS = ("own", "variant", "exact")


class Carrier:
    """Carries what belongs to one sample's module.

    layouts: the target's; None where the same is tried.
    Raises Unusable for a class without a rule, and for a shape that a layout does not admit.
    """

    def __init__(
        self, state: Mapping[str, np.ndarray], described: Mapping[str, Any], layouts: Layouts | None, title: str
    ) -> None:
        self.state = state
        tensors = {name: self.refer(name) for name in state}
        model = Model.from_json(described)
        self.moves: dict[str, Move] = {move.source: move for move in carry(tensors, model, layouts, title)}
        self.updates = self.other_updates(model, layouts) if layouts else {}

    def other_updates(self, model: Model, layouts: Layouts) -> dict[str, str]:
        """The target's buffers that its module updates otherwise than torch's: name -> how."""
        found = {}
        for entry in model.entries:
            of_class = next((layouts.classes[cls] for cls in entry.classes if cls in layouts.classes), {})
            layout = of_class.get(entry.attribute) if isinstance(of_class, Mapping) else None
            if layout is not None and layout.updates:
                found.update({target.name: layout.updates for target in self.moves[entry.name].entries})
        return found

    def refer(self, name: str) -> TensorRef:
        array = self.state[name]
        strides = tuple(prod(array.shape[axis + 1 :]) for axis in range(array.ndim))
        return TensorRef(array.dtype.name, array.shape, strides, 0, name, self)

    def load(self, tensor: TensorRef) -> np.ndarray:
        return self.state[tensor.storage]

    def target_state(self) -> dict[str, np.ndarray]:
        """Name in the target -> array."""
        return {entry.name: array for move in self.moves.values() for entry, array in move.load()}

    def expected(self, record: Mapping[str, Any], get: Callable[[Any], Any]) -> dict[str, Any]:
        """Torch's answer, arrays in place of where they lie, under the target's names and in its layouts."""
        changed = {**record, "updates": self.updates}
        for run in RUNS:
            if run in record:
                changed[run] = self.run(record[run], get)
        if "noisy" in record:
            changed["noisy"] = [self.run(run, get) for run in record["noisy"]]
        if "draws" in record:
            changed["draws"] = {path: get(place) for path, place in record["draws"].items()}
        return changed

    def run(self, places: Mapping[str, Any], get: Callable[[Any], Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for path, place in places.items():
            for before, after in (("gradient of ", ""), ("", " after the call")):
                name = (
                    path.removeprefix(before).removesuffix(after)
                    if path.startswith(before) and path.endswith(after)
                    else ""
                )
                if name in self.moves and path == f"{before}{name}{after}":
                    move = self.moves[name]
                    if move.entries:
                        arrays = move.lay_out({name: get(place)})
                        laid_out = zip(move.entries, arrays, strict=True)
                        # A second name of one tensor is in the state_dict only.
                        found.update({f"{before}{e.name}{after}": a for e, a in laid_out if not e.same_as})
                    break
            else:
                found[path] = get(place)
        return found


class Given:
    """A reader of arrays that are at hand."""

    def get(self, array: Any) -> Any:
        return array
