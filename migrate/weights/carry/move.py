"""One tensor of a checkpoint, or several that become one, and what is written for them."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from migrate.errors import Unusable
from migrate.weights.readers.tensor import TensorRef
from rewriters.weights.checkpoint_format import Entry
from rewriters.weights.recipe import NoLayout, Recipe, take


@dataclass(frozen=True)
class Move:
    """Tensors of the checkpoint that belong together, and what they become.

    sources: their names, wrappers' prefixes stripped, and they.
    entries: what is written, each by its recipe; none when the target has no place for it. One that the target has
             under two names is repeated, with ``same_as``.
    dropped: then, why nothing is lost.
    """

    sources: tuple[tuple[str, TensorRef], ...]
    entries: tuple[Entry, ...]
    recipes: tuple[Recipe, ...]
    dropped: str = ""

    @property
    def source(self) -> str:
        """The first one's name, for messages."""
        return self.sources[0][0]

    @property
    def copies(self) -> TensorRef | None:
        """The tensor whose bytes its entry has, the only one but for its repetitions; None where they change."""
        once = self.entries and all(entry.same_as for entry in self.entries[1:])
        return self.sources[0][1] if once and self.recipes[0].keeps_bytes else None

    def load(self) -> Iterator[tuple[Entry, np.ndarray]]:
        """The arrays to be written, views of the loaded tensors where possible.

        Raises Unusable where a tensor is not zero that the target has no place for.
        """
        if self.entries:
            yield from zip(
                self.entries, self.lay_out({name: tensor.load() for name, tensor in self.sources}), strict=True
            )

    def lay_out(self, arrays: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """What the entries are for these values of the sources: a gradient is laid out as its parameter is."""
        try:
            return [recipe.make(arrays) for recipe in self.recipes]
        except NoLayout as error:
            raise Unusable(f"{', '.join(name for name, _ in self.sources)}: {error.why}", error.mend) from None

    @property
    def transposed(self) -> bool:
        """Whether the axes of any are permuted."""
        return any(recipe.axes is not None for recipe in self.recipes)

    @property
    def renamed(self) -> bool:
        """Whether one tensor becomes one of another name."""
        once = len(self.sources) == 1 and self.entries and all(entry.same_as for entry in self.entries[1:])
        return bool(once) and self.entries[0].name != self.source

    @property
    def split(self) -> bool:
        """Whether it becomes several."""
        return sum(not entry.same_as for entry in self.entries) > len(self.sources)

    @property
    def merged(self) -> bool:
        """Whether several become fewer."""
        return len(self.sources) > len(self.entries) > 0

    def changes(self) -> list[str]:
        """A few words on each entry's layout; empty where name and bytes stay."""
        renamed = ["renamed"] if self.renamed else []
        return ["; ".join([*renamed, *filter(None, [recipe.describe()])]) for recipe in self.recipes]

    def how(self, index: int, names: Mapping[str, str]) -> dict[str, Any]:
        """What the way back needs to know of an entry, for the manifest; empty where its bytes are the source's.

        names: of the sources, as the checkpoint has them.
        """
        recipe = self.recipes[index]
        if recipe.keeps_bytes and recipe.shape is None:
            return {}
        shapes = {names[name]: list(tensor.shape) for name, tensor in self.sources if name in recipe.sources}
        return recipe.renamed(names).to_json() | {"from": shapes}

    def kept(self) -> list[dict[str, Any]]:
        """Tensors that the output does not have, or only their sum, for the manifest: counters and biases."""
        names = {name for name, _ in self.sources} if self.dropped else set()
        for recipe in self.recipes:
            names |= set(recipe.sources) if recipe.adds else set()
        return [
            {
                "source": name,
                "shape": list(tensor.shape),
                "dtype": tensor.dtype.name,
                "data": base64.b64encode(np.ascontiguousarray(tensor.load()).tobytes()).decode(),
            }
            for name, tensor in self.sources
            if name in names
        ]


def keep(tensors: Mapping[str, TensorRef]) -> list[Move]:
    """Every tensor as torch has it."""
    return [make_move([(name, take(name))], tensors) for name in tensors]


def make_move(group: Sequence[tuple[str, Recipe]], tensors: Mapping[str, TensorRef]) -> Move:
    """The move of recipes that share sources; (the target's name, its recipe) each.

    Raises Unusable where tensors of different dtypes become one.
    """
    names = list(dict.fromkeys(source for _, recipe in group for source in recipe.sources))
    entries: list[Entry] = []
    first: dict[Recipe, str] = {}
    for name, recipe in group:
        dtypes = {tensors[source].dtype for source in recipe.sources}
        if len(dtypes) > 1:
            raise Unusable(
                f"{', '.join(recipe.sources)} become one, and have different dtypes: {', '.join(map(str, dtypes))}",
                "save them in one dtype",
            )
        shapes = {source: tensors[source].shape for source in recipe.sources}
        same_as = first.setdefault(recipe, name)
        entries.append(Entry(name, recipe.result_shape(shapes), dtypes.pop(), "" if same_as == name else same_as))
    recipes = tuple(recipe for _, recipe in group)
    return Move(tuple((name, tensors[name]) for name in names), tuple(entries), recipes)
