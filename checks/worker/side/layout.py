"""Torch's state as this side stores it, and what this side stores as torch does."""

from __future__ import annotations

from typing import Any, Dict, Iterator

import numpy as np

Arrays = Dict[str, Any]


class Layout:
    """Recipes (``rewriters/weights/recipe.py``) of this side's tensors.

    recipes: (this side's name, its recipe).
    shapes:  of torch's tensors, by name.
    """

    def __init__(self, recipes: list[tuple[str, Any]], shapes: dict[str, tuple[int, ...]]) -> None:
        self.recipes = recipes
        self.shapes = shapes

    def make(self, given: Arrays) -> Iterator[tuple[str, Any]]:
        """(name, array) of this side from torch's arrays; those whose sources are not all given are left out."""
        for name, recipe in self.recipes:
            if all(source in given for source in recipe.sources):
                yield name, recipe.make(given)

    def unmake(self, values: Arrays, gradients: bool) -> Iterator[tuple[str, Any]]:
        """(torch's name, array) from this side's arrays, where all parts of one are there.

        A tensor that holds the sum of several of torch's tells nothing of each; its gradient is the gradient of each.
        """
        parts: dict[str, dict[int, Any]] = {}
        counts: dict[str, int] = {}
        for name, recipe in self.recipes:
            if name not in values:
                continue
            for blocks, array in recipe.unmake(values[name], self.shapes):
                for block in blocks if len(blocks) == 1 or gradients else ():
                    parts.setdefault(block.source, {})[block.index] = array
                    counts[block.source] = block.count
        for source, found in parts.items():
            if len(found) == counts[source]:
                ordered = [found[index] for index in sorted(found)]
                yield source, ordered[0] if len(ordered) == 1 else np.concatenate(ordered)
