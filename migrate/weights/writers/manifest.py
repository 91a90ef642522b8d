"""The manifest beside an output: of each tensor what it was, what was done to it, and its checksum."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import migrate
from migrate.errors import Unusable
from migrate.weights.carry.move import Move
from migrate.weights.carry.state_dict import StateDict

SUFFIX = ".manifest.json"
CHECKSUM = "crc32:{:08x}"
VERSION = 1
LARGEST = 256 << 20


def manifest_of(output: Path) -> Path:
    """Where an output's manifest lies."""
    return output.parent / (output.name + SUFFIX)


def records(move: Move, crcs: Sequence[int], found: StateDict) -> list[dict[str, Any]]:
    """Of each entry of the move. crcs: of their bytes as they are stored, in C order."""
    made = []
    for index, (entry, crc, change) in enumerate(zip(move.entries, crcs, move.changes(), strict=True)):
        record = {
            "name": entry.name,
            "source": found.sources[move.source],
            "shape": list(entry.shape),
            "dtype": entry.dtype.name,
            "layout": change,
            "checksum": CHECKSUM.format(crc),
        }
        if len(move.sources) > 1:
            record["sources"] = [found.sources[name] for name, _ in move.sources]
        if how := move.how(index, found.sources):
            record["how"] = how
        made.append(record)
    return made


def write(
    path: Path,
    *,
    checkpoint: str,
    format: str,
    model: str | None,
    found: StateDict,
    moves: Sequence[Move],
    tensors: Sequence[dict[str, Any]],
) -> None:
    """Write the manifest to ``path``. tensors: the records."""
    about = {
        "manifest": VERSION,
        "migrate": migrate.__version__,
        "checkpoint": checkpoint,
        "state_dict": found.key,
        "format": format,
        "model": model,
        "tensors": tensors,
        "dropped": [{"source": found.sources[move.source], "reason": move.dropped} for move in moves if move.dropped],
        "kept": [
            {**kept, "source": found.sources.get(kept["source"], kept["source"])}
            for move in moves
            for kept in move.kept()
        ],
        "not_carried": found.leftovers,
    }
    path.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Manifest:
    """A manifest that was read. tensors: name -> its record. kept: tensors that the output lacks or only has summed."""

    path: Path
    format: str
    tensors: dict[str, dict[str, Any]]
    kept: list[dict[str, Any]]


def read(output: Path) -> Manifest:
    """The manifest of an output. Raises Unusable."""
    path = manifest_of(output)
    write_again = "write the output again with migrate weights"
    try:
        if path.stat().st_size > LARGEST:
            raise Unusable(f"{path}: has {path.stat().st_size:,} bytes, too many for a manifest", write_again)
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}", "migrate weights writes it beside its output") from None
    except (ValueError, RecursionError):
        raise Unusable(f"{path}: is no JSON", write_again) from None
    try:
        tensors = {}
        for record in data["tensors"]:
            name, shape, dtype, checksum = (record[key] for key in ("name", "shape", "dtype", "checksum"))
            if not (isinstance(name, str) and isinstance(dtype, str) and isinstance(checksum, str)):
                raise TypeError("a record without name, dtype and checksum")
            tensors[name] = {**record, "shape": [int(size) for size in shape]}
        return Manifest(path, str(data["format"]), tensors, list(data["kept"]))
    except (KeyError, TypeError, ValueError) as error:
        raise Unusable(f"{path}: is no manifest of this version of migrate: {error}", write_again) from None
