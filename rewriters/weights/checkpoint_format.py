"""What a format of checkpoints is made of: the seam between ``migrate/weights``, which reads tensors and moves their
bytes, and a format's module (npz, safetensors, a target's ``formats.py``), which says where the bytes go.

A format's module has

SUFFIX:         of its outputs, with the dot.
FOLDER:         whether an output is a folder; then also ``ours(path)``: whether a folder was written by it.
refuses(entry): why it cannot hold the entry; empty when it can.
Writer:         a ``ByteWriter`` where the place of every tensor's bytes is known before they come (they are then copied
                at the disk's speed, in constant memory, and the writer sees none of them), else an ``ArrayWriter``.
read_output(path): an iterator of ``Stored``: what an output holds, found by reading it, for ``--verify`` and the way
                back. Raises ValueError, OSError or KeyError where it is not what Writer wrote. Not needed where
                ``migrate/weights`` reads the format as a checkpoint anyway.
LIKE, METADATA: in place of the rest but SUFFIX: the name of a neutral format that writes it, and its files' metadata;
                beside it, ``refuses`` says what the target's own reader does not load.
OTHERS:         names of formats that the target has beside it, each a module of that name in the same folder, which
                ``--to TARGET.NAME`` writes; may be left out.
IN_SAFETENSORS: such a one, for a target whose tensors are also written as safetensors; may be left out.
LOAD:           Python that gives an output at ``{path!r}`` to ``model``; may be left out.
NEEDS:          a package that writing takes, of the extra named as the target; may be left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np


@dataclass(frozen=True)
class Entry:
    """A tensor to be written; ``shape`` and ``dtype`` as it will be stored.

    same_as: name of an earlier entry that is this very tensor (tied); empty for one of its own.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    same_as: str = ""

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.dtype.itemsize


@dataclass(frozen=True)
class Stored:
    """A tensor in an output: ``array``, or else the bytes (C order, little-endian) of a file from ``start`` on."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    file: Path | None = None
    start: int = 0
    array: np.ndarray[Any, Any] | None = None


class ByteWriter(Protocol):
    """Writes an output of which the place of each tensor's bytes is known; a context manager.

    Entries come in the given order, each once. Leaving the block without an error completes the output.
    A writer that can keep a tie has ``tie(entry)``, called in place of begin and end where ``entry.same_as`` is set.
    """

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None: ...

    def begin(self, entry: Entry) -> BinaryIO:
        """A file opened with buffering=0, positioned where the ``entry.nbytes`` bytes go (C order, little-endian)."""

    def end(self, entry: Entry, crc: int) -> None:
        """They are written, and the file stands behind them. crc: their CRC-32, as zlib has it."""

    def __enter__(self) -> ByteWriter: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None: ...


class ArrayWriter(Protocol):
    """Writes an output through a library that wants arrays; a context manager. Ties as in ``ByteWriter``."""

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None: ...

    def add(self, entry: Entry, array: np.ndarray[Any, Any]) -> None:
        """array: of the entry's dtype and shape, not always contiguous."""

    def __enter__(self) -> ArrayWriter: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None: ...
