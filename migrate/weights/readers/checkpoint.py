"""An open checkpoint, whatever its format."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Checkpoint:
    """A context manager; leaving it closes the files.

    path:      of the file or folder, or its URL, as it was given.
    format:    what it is, a few words.
    tree:      dictionaries and lists with TensorRef or Unreadable where torch has tensors, Opaque for unknown objects.
    notes:     what the reader chose or left, a sentence each.
    files:     of this machine that it lies in, and the folder where it is one.
    unchecked: True when damage to the values cannot be noticed, for lack of CRCs.
    """

    path: str
    format: str
    tree: Any
    notes: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    unchecked: bool = False
    resources: ExitStack = field(default_factory=ExitStack, repr=False)

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.resources.close()
