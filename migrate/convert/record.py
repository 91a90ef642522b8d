"""The record of a conversion, kept in the output's ``.migrate`` folder.

``conversion.json`` names the target and what was written; ``base/`` holds the text of each converted file as it was
written, against which a later conversion merges what people have edited since. ``torch/`` is what was converted, where
that is not what lies in the project: with the parts of packages that came along.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from migrate.errors import Unusable

FOLDER = ".migrate"
RECORD = Path(FOLDER, "conversion.json")
TORCH = Path(FOLDER, "torch")


@dataclass
class Record:
    """What an output folder remembers.

    target:  name of the target.
    migrate: version that wrote it.
    files:   path -> sha256 of what was converted or copied, before hand edits were merged into it.
    """

    target: str
    migrate: str
    files: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def file_digest(path: Path) -> str:
    """As ``digest``, without holding the file in memory."""
    sha = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            sha.update(block)
    return sha.hexdigest()


def read_record(out: Path) -> Record | None:
    """The record of an earlier conversion into ``out``, None when there is none."""
    path = out / RECORD
    if not path.is_file():
        return None
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
        return Record(str(loaded["target"]), str(loaded["migrate"]), dict(loaded["files"]))
    except (ValueError, KeyError, TypeError) as error:
        raise Unusable(
            f"{path}: not a record of a conversion: {error}", f"remove {path.parent} and convert with --force"
        ) from error


def base_of(out: Path, name: str) -> bytes | None:
    """What the last conversion wrote for a file; None for one that was not converted."""
    path = out / FOLDER / "base" / name
    return path.read_bytes() if path.is_file() else None
