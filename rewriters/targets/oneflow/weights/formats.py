"""The folder that flow.save writes: ``pickled_data`` names a sub-folder of each tensor, with its bytes and their type.

Loaded by path; imports no oneflow.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rewriters.weights.checkpoint_format import Stored
from rewriters.weights.pickle_ops import Made, read_pickle, text

SUFFIX = ".oneflow"
FOLDER = True
LOAD = "model.load_state_dict(oneflow.load({path!r}))"
PICKLED = "pickled_data"

# dtype -> OneFlow's DataType. flow.load raises NotImplementedError for kBFloat16, which flow.save does write.
DATA_TYPES = {
    "float16": "kFloat16",
    "float32": "kFloat",
    "float64": "kDouble",
    "int8": "kInt8",
    "int32": "kInt32",
    "int64": "kInt64",
    "uint8": "kUInt8",
    "bool": "kBool",
}


def refuses(entry: Any) -> str:
    """Why the format cannot hold the entry (name, shape, dtype); empty when it can."""
    return "" if entry.dtype.name in DATA_TYPES else f"flow.load does not read {entry.dtype.name}"


def ours(path: Path) -> bool:
    """True for a folder as flow.save writes it, with nothing else in it."""
    names = os.listdir(path)
    return PICKLED in names and all(name == PICKLED or name.startswith("tensor_") for name in names)


class Writer:
    """Writes one sub-folder per tensor, and the pickle of name -> tensor at the end. path: of the new folder."""

    def __init__(self, path: Path, entries: Sequence[Any]) -> None:
        self._path = path
        self._names: list[str] = []
        path.mkdir()

    def begin(self, entry: Any) -> BinaryIO:
        """Writes ``tensor_N/meta`` (a protobuf as text); the bytes go to ``tensor_N/out``."""
        folder = self._path / f"tensor_{len(self._names)}"
        folder.mkdir()
        dims = "".join(f"  dim: {size}\n" for size in entry.shape)
        (folder / "meta").write_text(f"shape {{\n{dims}}}\ndata_type: {DATA_TYPES[entry.dtype.name]}\n")
        self._names.append(entry.name)
        self._file = (folder / "out").open("wb", buffering=0)
        return self._file

    def end(self, entry: Any, crc: int) -> None:
        self._file.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            (self._path / PICKLED).write_bytes(_pickle(self._names))


def _pickle(names: Sequence[str]) -> bytes:
    """{"protocol_version": 1, "data": {name: a Tensor of state {"path": "tensor_N"}}} in pickle's opcodes.

    A Tensor is made as flow.save has it: Tensor.__new__(Tensor), then its state.
    """
    tensors = b"".join(
        text(name) + b"coneflow\nTensor\n)\x81}" + text("path") + text(f"tensor_{index}") + b"sbs"
        for index, name in enumerate(names)
    )
    return b"\x80\x04}" + text("protocol_version") + b"K\x01s" + text("data") + b"}" + tensors + b"s."


META = re.compile(r"shape\s*\{([^}]*)\}\s*data_type:\s*(\w+)\s*", re.DOTALL)
"""As protobuf prints it."""


def read_output(path: Path) -> Iterator[Stored]:
    """The tensors of a folder that flow.save wrote of a state_dict. Nothing in it is executed.

    Raises ValueError where it holds something else.
    """
    saved = read_pickle(path / PICKLED)
    if not (isinstance(saved, dict) and isinstance(saved.get("data"), dict)):
        raise ValueError("it holds no dictionary")
    for name, tensor in saved["data"].items():
        state = tensor.state if isinstance(tensor, Made) else None
        folder = state.get("path") if isinstance(state, dict) else None
        if not (isinstance(folder, str) and re.fullmatch(r"tensor_[0-9]+", folder)):
            raise ValueError(f"{name!a} is no tensor")
        yield _stored(str(name), path / folder)


def _stored(name: str, folder: Path) -> Stored:
    found = META.fullmatch((folder / "meta").read_text(encoding="ascii"))
    types = {theirs: ours for ours, theirs in DATA_TYPES.items()}
    if found is None or found[2] not in types:
        raise ValueError(f"{name!a} is a tensor of a kind that is not read")
    shape = tuple(int(size) for size in re.findall(r"dim:\s*([0-9]+)", found[1]))
    dtype = np.dtype(types[found[2]])
    size = int(np.prod(shape, dtype=object)) * dtype.itemsize
    if (folder / "out").stat().st_size != size:
        raise ValueError(f"{name!a} does not have the {size} bytes of its shape")
    return Stored(name, shape, dtype, folder / "out")
