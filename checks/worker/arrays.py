"""Named arrays in a folder: how two interpreters hand each other tensors.

One ``.npy`` file per array, and an index from names to files. Reading maps the files into memory, so that a large state
costs what is touched of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .npy import load

INDEX = "index.json"


def write(folder: str | Path, arrays: Mapping[str, np.ndarray] | Iterable[tuple[str, np.ndarray]]) -> None:
    """Write the arrays under their names, one at a time where they are made on the way.

    Dtypes that ``.npy`` cannot name (bfloat16, fp8) are widened to float32.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    pairs = arrays.items() if isinstance(arrays, Mapping) else arrays
    for number, (name, array) in enumerate(pairs):
        file = f"{number}.npy"
        array = np.asarray(array)
        if array.dtype.kind not in "biufc":
            array = array.astype(np.float32)
        np.save(folder / file, array, allow_pickle=False)
        files[name] = file
    (folder / INDEX).write_text(json.dumps(files), encoding="utf-8")


def read(folder: str | Path) -> dict[str, Any]:
    """Name -> array, mapped read-only, in the order in which they were written."""
    folder = Path(folder)
    files = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    return {name: load(folder / file) for name, file in files.items()}
