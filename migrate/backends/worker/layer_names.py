"""Which layer of the model an operation of an artefact belongs to, found by its weights.

Exporters name things each in its own way, fold what follows a layer into its weights, and turn them round; the weights
of a channel, divided by the largest of them, stay what they were.
"""

from __future__ import annotations

import numpy as np

# They lie beside this module.
from answering import Refused  # isort: skip
from array_folders import paths  # isort: skip

CLOSE = 1e-3
SHOWN = 8


class Layers:
    """The layers of an artefact's operations; ``of``: operation -> layer, as far as it is known.

    weights: operation -> its weights. folder: of arrays by the names of the model's parameters.
    """

    def __init__(self, weights, folder):
        self.of = {}
        layers = {name.rpartition(".")[0]: path for name, path in paths(folder).items()}
        for operation, array in weights.items():
            if array.ndim < 2:
                continue
            found = [layer for layer, file in layers.items() if alike(array, np.load(file, mmap_mode="r"))]
            if len(found) == 1:
                self.of[operation] = found[0]

    def keep(self, names, known):
        """The operations of these names: of a layer, of all within a layer, or an operation's own. Raises Refused."""
        found = []
        for name in names:
            inside = [op for op, layer in self.of.items() if layer == name or layer.startswith(name + ".")]
            if not inside and name not in known:
                some = ", ".join(list(dict.fromkeys(self.of.values()))[:SHOWN]) or "none"
                raise Refused(
                    f"--keep-float {name}: is no layer whose weights the artefact has, and no operation of it",
                    f"layers that were found: {some}{' ...' if len(set(self.of.values())) > SHOWN else ''}",
                )
            found += [op for op in inside or [name] if op not in found]
        return found

    def told(self, kept):
        """What the manifest says of it."""
        return {"layers": self.of, "kept": kept, "kept_layers": [self.of[op] for op in kept if op in self.of]}


def alike(one, other):
    """Whether these are weights of one layer."""
    if other.ndim != one.ndim:  # of groups, channels may have an axis of their own
        one = one.reshape(-1, *one.shape[2:]) if one.ndim == other.ndim + 1 else one
    if sorted(one.shape) != sorted(other.shape) or one.ndim != other.ndim:
        return False
    turned = [other, other.T] if other.ndim == 2 else [other]
    for array in turned:
        if array.shape != one.shape:
            continue
        for axis in (0, 1):
            a, b = (np.moveaxis(item, axis, 0).reshape(item.shape[axis], -1) for item in (one, array))
            if close(a[:1], b[:1]) and close(a, b):
                return True
    return False


def close(one, other):
    """Whether rows agree but for a factor each."""
    sizes = [np.abs(item).max(1, keepdims=True) for item in (one, other)]
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = [np.nan_to_num(np.abs(item) / size) for item, size in zip((one, other), sizes, strict=True)]
    return bool((np.abs(parts[0] - parts[1]) < CLOSE).all())
