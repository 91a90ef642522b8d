"""A sample's module state, its gradients and what a call changed of it, laid out as the target has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from migrate.weights.carry.carry import Layouts, Move, carry
from migrate.weights.carry.model import Model
from migrate.weights.readers.tensor import TensorRef
from rewriters.weights.layout import Layout

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
        model = Model.from_json(described).as_converted(title)
        self.moves: dict[str, Move] = {move.source: move for move in carry(tensors, model, layouts, title)}
        self.words: dict[str, Mapping[str, Layout]] = {}  # module's path -> its class's layouts
        self.updates: dict[str, str] = {}  # the target's buffers that its module updates otherwise: name -> how
        for entry in model.entries if layouts else []:
            assert layouts
            words = next((layouts.classes[cls] for cls in entry.classes if cls in layouts.classes), {})
            if not isinstance(words, Mapping):
                continue
            self.words[entry.module] = words
            if entry.attribute in words and (how := words[entry.attribute].updates):
                self.updates.update({target.name: how for target in self.moves[entry.name].entries})

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
                found.update(self.made_since(path, get(place)))
        return found

    def made_since(self, path: str, array: Any) -> dict[str, Any]:
        """What the module did not have when it was built: as its class's layout says, a weight norm's parameters."""
        before = "gradient of " if path.startswith("gradient of ") else ""
        after = " after the call" if path.endswith(" after the call") else ""
        module, _, attribute = path.removeprefix(before).removesuffix(after).rpartition(".")
        layout = self.words.get(module, {}).get(attribute) if before or after else None
        if layout is None:
            return {path: array}
        dotted = f"{before}{module}." if module else before
        return {f"{dotted}{n}{after}": r.make({attribute: array}) for n, r in layout.recipes(attribute).items()}


class Given:
    """A reader of arrays that are at hand."""

    def get(self, array: Any) -> Any:
        return array
