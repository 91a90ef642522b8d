"""``.mlx.safetensors``, which mlx.nn.Module.load_weights reads. Loaded by path; imports no mlx."""

from __future__ import annotations

from typing import Any

LIKE = "safetensors"
SUFFIX = ".mlx.safetensors"
METADATA = {"format": "mlx"}
LOAD = "model.load_weights({path!r})"

LOADED = {
    *("float32", "float16", "bfloat16", "complex64", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
}


def refuses(entry: Any) -> str:
    """Why mx.load does not give the entry back as it is; empty when it does."""
    return "" if entry.dtype.name in LOADED else f"MLX does not load {entry.dtype.name}"
