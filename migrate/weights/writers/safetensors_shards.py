"""A folder of ``.safetensors`` and an index, as the Hugging Face Hub has them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from migrate.weights.readers.safetensors_file import Writer as FileWriter
from rewriters.weights.checkpoint_format import Entry

SUFFIX = ".safetensors.d"
SINGLE, SHARD, INDEX = "model.safetensors", "model-{:05}-of-{:05}.safetensors", "model.safetensors.index.json"


def ours(path: Path) -> bool:
    """True for a folder of shards with nothing else in it."""
    return all(name.endswith(".safetensors") or name == INDEX for name in os.listdir(path))


def shards(entries: Sequence[Entry], size: int) -> list[list[Entry]]:
    """Entries in their order, in groups of at most ``size`` bytes; a larger one is a group of its own."""
    groups: list[list[Entry]] = [[]]
    room = size
    for entry in entries:
        if entry.nbytes > room and groups[-1]:
            groups.append([])
            room = size
        groups[-1].append(entry)
        room -= entry.nbytes
    return groups


class Writer:
    """path: of the new folder. size: of a file, in bytes. metadata: of each."""

    def __init__(self, path: Path, entries: Sequence[Entry], size: int, metadata: Mapping[str, str]) -> None:
        path.mkdir()
        self._path, self._entries = path, entries
        groups = shards(entries, size)
        names = [SHARD.format(number, len(groups)) for number in range(1, len(groups) + 1)]
        self._names = names if len(groups) > 1 else [SINGLE]
        self._of = {entry.name: number for number, group in enumerate(groups) for entry in group}
        self._files = [
            FileWriter(path / name, group, metadata) for name, group in zip(self._names, groups, strict=True)
        ]

    def begin(self, entry: Entry) -> BinaryIO:
        return self._files[self._of[entry.name]].begin(entry)

    def end(self, entry: Entry, crc: int) -> None:
        pass

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        for file in self._files:
            file.__exit__(kind, *error)
        if kind is None and len(self._names) > 1:
            index = {
                "metadata": {"total_size": sum(entry.nbytes for entry in self._entries)},
                "weight_map": {name: self._names[number] for name, number in sorted(self._of.items())},
            }
            (self._path / INDEX).write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
