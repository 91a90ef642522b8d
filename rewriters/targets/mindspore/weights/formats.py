"""``.mindspore.safetensors``, for mindspore.load_checkpoint(path, net, format="safetensors"). Loaded by path.

MindSpore's own ``.ckpt`` is one protobuf message, which its library refuses to read from 2 GB on.
"""

from __future__ import annotations

from typing import Any

LIKE = "safetensors"
SUFFIX = ".mindspore.safetensors"
METADATA = {"format": "ms"}
LOAD = 'mindspore.load_checkpoint({path!r}, model, format="safetensors")'

LOADED = {
    *("float16", "bfloat16", "float32", "float64", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
}


def refuses(entry: Any) -> str:
    """Why load_checkpoint does not give the entry back as it is; empty when it does."""
    return "" if entry.dtype.name in LOADED else f"MindSpore does not load {entry.dtype.name}"
