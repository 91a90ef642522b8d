"""Fingerprints of what was checked."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any


def sha256(path: Path) -> str | None:
    """Of a file's bytes; None for a checkpoint that is a folder."""
    if not path.is_file():
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else _blockwise(file)


def _blockwise(file: Any) -> str:
    digest = hashlib.sha256()  # Python 3.10 has no file_digest
    while block := file.read(1 << 20):
        digest.update(block)
    return digest.hexdigest()


def digest_of_sources(folder: Path) -> str:
    """sha256 over names and bytes of the folder's Python files, hidden folders left out."""
    digest = hashlib.sha256()
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(files):
            if name.endswith(".py"):
                path = Path(place, name)
                digest.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()
