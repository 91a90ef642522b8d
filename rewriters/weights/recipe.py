"""What a parameter of the target's module is made of: blocks of torch's parameters, and the way back.

A layout that says more than "this parameter, transposed" is a function of a target's ``layouts.py``: it gets the torch
module's description and returns a recipe for each parameter of the target's module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np  # by itself it takes longer to import than the rest of the converter

Shape = tuple[int, ...]


class NoLayout(ValueError):
    """The target's module cannot hold what torch's does. why, mend: what is said to the user."""

    def __init__(self, why: str, mend: str) -> None:
        super().__init__(f"{why}; {mend}")
        self.why = why
        self.mend = mend


@dataclass(frozen=True)
class Module:
    """What is known of a torch module.

    path:    dotted, "" for the root. classes: dotted names of its MRO without object.
    config:  its public attributes that are numbers, strings, None, or tuples of them.
    shapes:  of its parameters and buffers, and of its children's (``out_proj.weight``).
    """

    path: str
    classes: tuple[str, ...]
    config: Mapping[str, Any] = field(default_factory=dict)
    shapes: Mapping[str, Shape] = field(default_factory=dict)

    def need(self, name: str, value: Any, why: str, mend: str) -> None:
        """Raises NoLayout unless the attribute ``name`` has this value."""
        if self.config.get(name, value) != value:
            raise NoLayout(why, mend)


@dataclass(frozen=True)
class Block:
    """The ``index``-th of ``count`` equal slices along axis 0 of a torch parameter."""

    source: str
    index: int = 0
    count: int = 1

    def of(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The slice, a view."""
        if self.count == 1:
            return array
        rows = array.shape[0] // self.count
        return array[self.index * rows : (self.index + 1) * rows]

    def shape(self, shape: Shape) -> Shape:
        """Of the slice of a parameter of that shape. Raises ValueError where it does not divide."""
        if self.count == 1:
            return shape
        if not shape or shape[0] % self.count:
            raise ValueError(f"{self.source}: shape {shape} does not split into {self.count} along axis 0")
        return (shape[0] // self.count, *shape[1:])


@dataclass(frozen=True)
class Recipe:
    """Rows stacked along axis 0, their axes then permuted, the result then reshaped.

    rows:  each the sum of its blocks: more than one where the target has one bias for torch's two.
    axes:  as numpy.transpose takes it; None keeps the order.
    shape: as numpy.reshape takes it; None keeps it.
    zero:  blocks that the target has no place for, so that they must be zero: each with why, and what to do.
    """

    rows: tuple[tuple[Block, ...], ...]
    axes: tuple[int, ...] | None = None
    shape: tuple[int, ...] | None = None
    zero: tuple[tuple[Block, str, str], ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """Torch's parameters that are read."""
        blocks = [*(block for row in self.rows for block in row), *(block for block, _, _ in self.zero)]
        return tuple(dict.fromkeys(block.source for block in blocks))

    @property
    def keeps_bytes(self) -> bool:
        """True when the bytes are those of one whole torch parameter."""
        return self.axes is None and not self.zero and self.rows == ((Block(self.rows[0][0].source),),)

    @property
    def adds(self) -> bool:
        """True when it adds biases up or leaves zeros out: the way back needs what is in the manifest."""
        return bool(self.zero) or any(len(row) > 1 for row in self.rows)

    def within(self, prefix: str) -> Recipe:
        """The same for parameters whose names begin with ``prefix``."""
        return self.renamed({source: prefix + source for source in self.sources})

    def renamed(self, names: Mapping[str, str]) -> Recipe:
        """The same for parameters of other names."""

        def moved(block: Block) -> Block:
            return Block(names[block.source], block.index, block.count)

        rows = tuple(tuple(map(moved, row)) for row in self.rows)
        zero = tuple((moved(block), why, mend) for block, why, mend in self.zero)
        return Recipe(rows, self.axes, self.shape, zero)

    def stacked_shape(self, shapes: Mapping[str, Shape]) -> Shape:
        """Before axes are permuted. Raises ValueError where the shapes do not fit together."""
        found: list[Shape] = []
        for row in self.rows:
            parts = {block.shape(shapes[block.source]) for block in row}
            if len(parts) > 1:
                raise ValueError(f"{', '.join(block.source for block in row)}: their shapes differ")
            found += parts
        if len(found) == 1:
            return found[0]
        if len({shape[1:] for shape in found}) > 1:
            raise ValueError(f"{', '.join(self.sources)}: their shapes differ")
        return (sum(shape[0] for shape in found), *found[0][1:])

    def result_shape(self, shapes: Mapping[str, Shape]) -> Shape:
        """Of the target's parameter. Raises ValueError where torch's do not admit the recipe."""
        shape = self.stacked_shape(shapes)
        if self.axes is not None:
            if len(self.axes) != len(shape):
                raise ValueError(
                    f"{self.sources[0]}: {len(shape)} axes ({shape}), the layout permutes {len(self.axes)}"
                )
            shape = tuple(shape[axis] for axis in self.axes)
        if self.shape is None:
            return shape
        known = prod(size for size in self.shape if size >= 0)
        full = tuple(prod(shape) // (known or 1) if size < 0 else size for size in self.shape)
        if prod(full) != prod(shape):
            raise ValueError(f"{self.sources[0]}: shape {shape} does not become {self.shape}")
        return full

    def make(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
        """The target's parameter, a view of torch's where possible.

        Raises NoLayout for a block that must be zero and is not.
        """
        import numpy as np

        for block, why, mend in self.zero:
            if np.any(block.of(arrays[block.source])):
                raise NoLayout(why, mend)
        rows = [_sum([block.of(arrays[block.source]) for block in row]) for row in self.rows]
        made = rows[0] if len(rows) == 1 else np.concatenate(rows)
        if self.axes is not None:
            made = made.transpose(self.axes)
        return made if self.shape is None else made.reshape(self.shape)

    def unmake(
        self, array: np.ndarray[Any, Any], shapes: Mapping[str, Shape]
    ) -> list[tuple[tuple[Block, ...], np.ndarray[Any, Any]]]:
        """The rows of a target's parameter, each with the blocks whose sum it is; views where possible.

        shapes: of torch's parameters. Raises ValueError where the array's shape is not ``result_shape``'s.
        """
        stacked = self.stacked_shape(shapes)
        if self.axes is not None:
            array = array.reshape([stacked[axis] for axis in self.axes])
            array = array.transpose([self.axes.index(axis) for axis in range(len(self.axes))])
        else:
            array = array.reshape(stacked)
        found, start = [], 0
        for row in self.rows:
            if len(self.rows) == 1:
                return [(row, array)]
            size = row[0].shape(shapes[row[0].source])[0]
            found.append((row, array[start : start + size]))
            start += size
        return found

    def to_json(self) -> dict[str, Any]:
        """For manifests; ``from_json`` reads it. Leaves out what must be zero, which is written nowhere."""
        rows = [[[block.source, block.index, block.count] for block in row] for row in self.rows]
        return {"rows": rows, "axes": self.axes, "shape": self.shape}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Recipe:
        """Raises KeyError, TypeError or ValueError for what to_json did not write."""
        rows = tuple(tuple(Block(str(s), int(i), int(n)) for s, i, n in row) for row in data["rows"])
        axes, shape = (None if data[key] is None else tuple(map(int, data[key])) for key in ("axes", "shape"))
        if not rows or not all(rows) or (axes is not None and sorted(axes) != list(range(len(axes)))):
            raise ValueError("no recipe")
        return cls(rows, axes, shape)

    def describe(self) -> str:
        """A few words for manifests and reports; empty when the bytes stay."""
        words = []
        if len(self.rows) > 1:
            words.append("stacked")
        if any(len(row) > 1 for row in self.rows):
            words.append("summed")
        if len(self.rows) == 1 and self.rows[0][0].count > 1:
            words.append(f"part {self.rows[0][0].index + 1} of {self.rows[0][0].count}")
        if self.axes is not None:
            words.append("transposed" if self.axes == (1, 0) else "axes " + ",".join(map(str, self.axes)))
        if self.shape is not None:
            words.append("reshaped")
        return "; ".join(words)


def take(source: str, *axes: int, shape: Sequence[int] | None = None) -> Recipe:
    """One torch parameter, its axes permuted, then reshaped."""
    return Recipe(((Block(source),),), axes or None, None if shape is None else tuple(shape))


def part(source: str, index: int, count: int, *axes: int, shape: Sequence[int] | None = None) -> Recipe:
    """The index-th of count equal slices along axis 0 of a torch parameter."""
    return Recipe(((Block(source, index, count),),), axes or None, None if shape is None else tuple(shape))


def summed(*sources: str) -> Recipe:
    """The sum of torch's parameters."""
    return Recipe((tuple(map(Block, sources)),))


def _sum(parts: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """Added in double precision and rounded once."""
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    if len({part.dtype for part in parts}) > 1:
        raise NoLayout("biases of different dtypes are one in the target", "save them in one dtype")
    wide = np.complex128 if parts[0].dtype.kind == "c" else np.float64
    total = parts[0].astype(wide)
    for part in parts[1:]:
        total += part.astype(wide)
    return total.astype(parts[0].dtype)
