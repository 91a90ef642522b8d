"""Files written aside and renamed: generated tables, and entries of the cache in the user's cache folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import platformdirs


def home() -> Path:
    """Where environments and what else can be made again is kept: ``$MIGRATE_HOME``, else the user's cache folder."""
    chosen = os.environ.get("MIGRATE_HOME")
    return Path(chosen).absolute() if chosen else platformdirs.user_cache_path("torch-migrate")


def replace_text(path: Path, text: str) -> Path:
    """Give a file this text, making its folder where there is none. Raises OSError; then it is as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
    return path


def keep(path: Path, data: bytes) -> None:
    """Keep an entry of the cache, whole or not at all; a cache that cannot be written costs time, nothing else."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".partial")
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).replace(path)
    except OSError:
        return
