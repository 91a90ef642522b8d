"""Three-way merge of a converted file that was edited by hand since."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from migrate.errors import Unusable

LABELS = ("edited by hand", "last conversion", "new conversion")


def merge(current: bytes, base: bytes, new: bytes, name: str) -> tuple[bytes, int]:
    """The new conversion with the hand edits kept, and the number of conflicts, marked as git marks them.

    Raises Unusable without git.
    """
    if current in (base, new):
        return new, 0
    if base == new:
        return current, unresolved(current)
    if shutil.which("git") is None:
        raise Unusable(
            f"{name} was edited since the last conversion, and merging it needs git",
            "install git, or convert into a new folder",
        )
    with tempfile.TemporaryDirectory(prefix="migrate-merge-") as folder:
        paths = [Path(folder) / part for part in ("edited", "last", "new")]
        for path, data in zip(paths, (current, base, new), strict=True):
            path.write_bytes(data)
        labels = [word for label in LABELS for word in ("-L", label)]
        ran = subprocess.run(
            ["git", "merge-file", "-p", *labels, *map(str, paths)], capture_output=True, check=False, cwd=folder
        )
    # The number of conflicts, at most 127; above, and for a signal, it failed.
    if not 0 <= ran.returncode <= 127:
        raise Unusable(
            f"{name}: git merge-file failed: {ran.stderr.decode(errors='replace').strip()}",
            "convert into a new folder with -o, and merge by hand",
        )
    return ran.stdout, unresolved(ran.stdout)


def unresolved(text: bytes) -> int:
    """The number of conflicts in a text, also of those that an earlier merge left."""
    return sum(line.startswith(f"<<<<<<< {LABELS[0]}".encode()) for line in text.splitlines())
