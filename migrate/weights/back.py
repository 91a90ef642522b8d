"""The way back: what was written for a framework, as the torch checkpoint that it was made of.

The manifest beside an output says which torch parameters each of its tensors was made of, and keeps those that the
framework has no place for. The output may have been trained and saved by the framework since: where it was, a bias that
torch has twice gets the value once, and zeros.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from migrate.errors import Unusable
from migrate.weights.carry.held import held, referred
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.copying import Span, sum_span
from migrate.weights.readers.files import LocalFile
from migrate.weights.readers.opening import open_checkpoint
from migrate.weights.readers.storages import Storages
from migrate.weights.readers.tensor import ITEMSIZES, TensorRef, numpy_dtype
from migrate.weights.writers import manifest
from migrate.weights.writers.formats import format_named
from rewriters.weights.checkpoint_format import Stored
from rewriters.weights.recipe import Block, Recipe

LISTED = 4
WRITE_AGAIN = "write it again with migrate weights"


def open_input(location: str | Path) -> Checkpoint:
    """The checkpoint at ``location``; where that is an output for a framework, with torch's names and layouts again.

    Raises Unusable.
    """
    path = None if "://" in str(location) else Path(location)
    if path is None or not manifest.manifest_of(path).is_file():
        return open_checkpoint(location)
    told = manifest.read(path)
    format = format_named(told.format)
    if format.target is None:
        return open_checkpoint(location)
    opened = Checkpoint(str(location), f"{format.target.title}, carried from torch", {}, files=[path], unchecked=True)
    try:
        found = {}
        for stored in format.read(path, opened.resources):
            name, tensor = stored if isinstance(stored, tuple) else (stored.name, _tensor(stored, opened))
            found[name] = tensor
    except (ValueError, OSError, KeyError) as error:
        opened.resources.close()
        raise Unusable(f"{path}: cannot be read as {format.name}: {error}", WRITE_AGAIN) from None
    if missing := [name for name in told.tensors if name not in found]:
        listed = ", ".join(missing[:LISTED]) + (", ..." if len(missing) > LISTED else "")
        raise Unusable(f"{path}: {len(missing)} tensors of its manifest are not in it: {listed}", WRITE_AGAIN)
    opened.notes += [
        f"{name!a} is not in the manifest, and left" for name in found if name not in told.tensors and "@" not in name
    ]
    try:
        opened.tree = _Back(told, found).tree()
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise Unusable(f"{told.path}: is damaged: {type(error).__name__}: {error}", WRITE_AGAIN) from None
    return opened


def _tensor(stored: Stored, opened: Checkpoint) -> TensorRef:
    if stored.file is None:
        assert stored.array is not None
        return held({stored.name: stored.array})[stored.name]
    file = LocalFile(stored.file)
    opened.resources.callback(file.close)
    nbytes = prod(stored.shape) * stored.dtype.itemsize
    span = Span(file, stored.start, nbytes, None, f"tensor {stored.name!a}")
    return referred(stored.dtype.name, stored.shape, stored.name, Storages({stored.name: span}))


@dataclass(frozen=True)
class _Piece:
    """A block of a torch parameter: the ``row``-th of an entry, of which it may be one of several summands."""

    entry: str
    row: int
    first: bool
    alone: bool


@dataclass
class _Back:
    """Assembles torch's parameters; a reader of them.

    pieces: source -> its blocks, by index, and how many there are. shapes: of all sources.
    """

    told: manifest.Manifest
    found: Mapping[str, TensorRef]
    recipes: dict[str, tuple[Recipe, dict[str, tuple[int, ...]]]] = field(default_factory=dict)
    pieces: dict[str, dict[int, _Piece]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def tree(self) -> dict[str, TensorRef]:
        """Name in the checkpoint that it was made of -> tensor. Raises KeyError, TypeError, ValueError."""
        tree: dict[str, TensorRef] = {}
        for name, record in self.told.tensors.items():
            tensor = self.found[name]
            if tensor.shape != tuple(record["shape"]) or tensor.dtype.name != record["dtype"]:
                is_, was = (f"{tensor.dtype} {tensor.shape}", f"{record['dtype']} {tuple(record['shape'])}")
                raise ValueError(f"{name!a} is {is_}, it was {was}")
            if "how" not in record:
                tree.setdefault(str(record["source"]), tensor)
                continue
            self._take(name, record, tree, tensor)
        kept = {str(one["source"]): _kept(one) for one in self.told.kept}
        for source, array in kept.items():
            if source not in tree or self._unchanged(source):
                tree |= held({source: array})
        for source, pieces in self.pieces.items():
            # A target may leave out zeros, but most of a parameter is there.
            if self.counts[source] > 2 * len(pieces):
                raise ValueError(f"{source!a} has {len(pieces)} of {self.counts[source]} parts")
        return tree

    def _take(self, name: str, record: Mapping[str, Any], tree: dict[str, TensorRef], tensor: TensorRef) -> None:
        recipe = Recipe.from_json(record["how"])
        shapes = {str(source): tuple(map(int, shape)) for source, shape in record["how"]["from"].items()}
        if recipe.result_shape(shapes) != tensor.shape:
            raise ValueError(f"{name!a} is not of the shape that its recipe gives")
        self.recipes[name] = recipe, shapes
        for row, blocks in enumerate(recipe.rows):
            for at, block in enumerate(blocks):
                piece = _Piece(name, row, at == 0, len(blocks) == 1)
                source = block.source
                if self.counts.setdefault(source, block.count) != block.count or not 0 <= block.index < block.count:
                    raise ValueError(f"{source!a} is divided twice")
                self.pieces.setdefault(source, {}).setdefault(block.index, piece)
                self.shapes[source] = shapes[source]
                tree[source] = referred(tensor.dtype.name, shapes[source], source, self)

    def _unchanged(self, source: str) -> bool:
        """Whether every entry that has a sum with it is as it was written."""
        for piece in self.pieces.get(source, {}).values():
            tensor = self.found[piece.entry]
            span = tensor.span()
            crc = sum_span(span) if span else binascii.crc32(np.ascontiguousarray(tensor.load()).tobytes())
            if manifest.CHECKSUM.format(crc) != self.told.tensors[piece.entry]["checksum"]:
                return False
        return True

    def load(self, tensor: TensorRef) -> np.ndarray:
        """A torch parameter put together of what the target has."""
        source = tensor.storage
        whole = np.zeros(tensor.shape, tensor.dtype)
        loaded: dict[str, list[np.ndarray]] = {}
        for index, piece in self.pieces[source].items():
            if piece.entry not in loaded:
                recipe, shapes = self.recipes[piece.entry]
                loaded[piece.entry] = [row for _, row in recipe.unmake(self.found[piece.entry].load(), shapes)]
            if piece.alone or piece.first:
                Block(source, index, self.counts[source]).of(whole)[...] = loaded[piece.entry][piece.row]
        return whole


def _kept(record: Mapping[str, Any]) -> np.ndarray:
    data = base64.b64decode(record["data"], validate=True)
    if record["dtype"] not in ITEMSIZES:
        raise ValueError(f"dtype {record['dtype']!a} is not known")
    return np.frombuffer(data, numpy_dtype(record["dtype"])).reshape([int(size) for size in record["shape"]])
