"""``.orbax``: a checkpoint of Orbax, an array of zarr for each parameter; loaded by path, imports no orbax.

Written is what Orbax's own handler writes with ``use_ocdbt=False``, in one chunk each and not compressed, so that a
tensor's bytes are copied as they lie. A parameter's path is that of an ``nnx.State``: its names, then ``value``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rewriters.weights.checkpoint_format import Entry

SUFFIX = ".orbax"
FOLDER = True
LOAD = """\
saved = nnx.traversals.flatten_mapping(ocp.StandardCheckpointer().restore(pathlib.Path({path!r}).absolute()))
keys = {{name: tuple(int(part) if part.isdigit() else part for part in name[:-1]) for name in saved}}
nnx.update(model, nnx.traversals.unflatten_mapping({{keys[name]: saved[name] for name in saved}}))"""

TREE, DONE, ABOUT = "_METADATA", "commit_success.txt", "_CHECKPOINT_METADATA"
HANDLER = "orbax.checkpoint._src.handlers.pytree_checkpoint_handler.PyTreeCheckpointHandler"
KEY_OF_DICT = 2
VALUE = "value"
LEAST = {"bool", "bfloat16", "float16", "float32", "float64", "complex64", "complex128"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def refuses(entry: Entry) -> str:
    """Why the format cannot hold the entry; empty when it can."""
    if "/" in entry.name:
        return "a path of Orbax's has no place for what an optimizer keeps; write it --to jax"
    return "" if entry.dtype.name in LEAST else f"Orbax has no {entry.dtype.name}"


def ours(path: Path) -> bool:
    """Whether a folder is a checkpoint of Orbax."""
    return (path / TREE).is_file() and (path / ABOUT).is_file()


def zarr_dtype(dtype: np.dtype[Any]) -> str:
    """zarr's name of it: numpy's where numpy has it."""
    return str(dtype.name if dtype.type.__module__ != "numpy" else dtype.newbyteorder("<").str)


def path_of(name: str) -> tuple[str, ...]:
    return (*name.split("."), VALUE)


class Writer:
    """path: of the new folder."""

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None:
        self._path, self._entries, self._began = path, entries, time.time_ns()
        self._file: BinaryIO | None = None
        path.mkdir()

    def begin(self, entry: Entry) -> BinaryIO:
        folder = self._path / ".".join(path_of(entry.name))
        folder.mkdir()
        about = {"chunks": [max(1, size) for size in entry.shape], "compressor": None, "dimension_separator": "."}
        about |= {"dtype": zarr_dtype(entry.dtype), "fill_value": None, "filters": None, "order": "C"}
        (folder / ".zarray").write_text(json.dumps({**about, "shape": list(entry.shape), "zarr_format": 2}))
        self._file = (folder / (".".join("0" for _ in entry.shape) or "0")).open("wb", buffering=0)
        return self._file

    def end(self, entry: Entry, crc: int) -> None:
        assert self._file
        self._file.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._file:
            self._file.close()
        if kind is not None:
            return
        leaves = {}
        for entry in self._entries:
            keys = path_of(entry.name)
            value = {"value_type": "jax.Array", "skip_deserialize": False, "write_shape": list(entry.shape)}
            steps = [{"key": key, "key_type": KEY_OF_DICT} for key in keys]
            leaves[str(keys)] = {"key_metadata": steps, "value_metadata": value}
        tree = {"tree_metadata": leaves, "use_ocdbt": False, "use_zarr3": False, "custom_metadata": None}
        times = {"init_timestamp_nsecs": self._began, "commit_timestamp_nsecs": time.time_ns()}
        (self._path / TREE).write_text(json.dumps({**tree, "store_array_data_equal_to_fill_value": True}))
        about = {"item_handlers": HANDLER, "metrics": {}, "performance_metrics": {}, "custom_metadata": {}}
        (self._path / ABOUT).write_text(json.dumps({**about, **times}))
