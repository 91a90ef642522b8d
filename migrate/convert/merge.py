"""Three-way merge of a converted file that was edited by hand since."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from migrate.errors import Unusable


def merge(current: bytes, base: bytes, new: bytes, name: str) -> tuple[bytes, int]:
    """The new conversion with the hand edits kept, and the number of conflicts, marked as git marks them."""
    if current in (base, new):
        return new, 0
    if base == new:
        return current, 0
    if shutil.which("git") is None:
        raise Unusable(f"{name} was edited since the last conversion, and merging it needs git", "install git, or convert into a new folder")
    with tempfile.TemporaryDirectory(prefix="migrate-merge-") as folder:
        paths = [Path(folder) / part for part in ("edited", "last", "new")]
        for path, data in zip(paths, (current, base, new), strict=True):
            path.write_bytes(data)
        labels = ["-L", "edited by hand", "-L", "last conversion", "-L", "new conversion"]
        ran = subprocess.run(["git", "merge-file", "-p", *labels, *map(str, paths)], capture_output=True, check=False)
    if ran.returncode < 0 or ran.returncode > 127:
        raise Unusable(f"{name}: git merge-file failed: {ran.stderr.decode(errors='replace').strip()}")
    return ran.stdout, ran.returncode
