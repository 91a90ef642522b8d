"""Reading of ``.npy`` files, also where other threads parse Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

TIMES = 20


def load(path: Path) -> Any:
    """An array, mapped read-only.

    numpy parses a file's head as Python, and CPython 3.11 counts how deep a syntax tree is for all threads together:
    where another parses at once, SystemError says so, and the head is parsed once more.
    """
    for _ in range(TIMES - 1):
        try:
            return _load(str(path))
        except SystemError as error:
            if "recursion depth mismatch" not in str(error):
                raise
    return _load(str(path))


def _load(path: str) -> Any:
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError:  # an array without elements cannot be mapped
        return np.load(path, allow_pickle=False)
