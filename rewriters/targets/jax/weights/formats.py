"""``.jax.safetensors``: the parameters by their dotted path. Loaded by path; imports no jax."""

from __future__ import annotations

from typing import Any

LIKE = "safetensors"
SUFFIX = ".jax.safetensors"
OTHERS = ("orbax",)
METADATA = {"format": "flax"}
LOAD = """\
weights = safetensors.flax.load_file({path!r})
keys = {{name: tuple(int(part) if part.isdigit() else part for part in name.split(".")) for name in weights}}
nnx.update(model, nnx.traversals.unflatten_mapping({{keys[name]: weights[name] for name in weights}}))"""


def refuses(entry: Any) -> str:
    """Why safetensors.flax.load_file does not give the entry back; empty when it does."""
    return f"safetensors.flax does not load {entry.dtype.name}" if entry.dtype.name.startswith("float8") else ""
