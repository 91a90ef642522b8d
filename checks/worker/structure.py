"""What a model returned, as named arrays and a description that two interpreters can compare."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict

import numpy as np

Nodes = Dict[str, Dict[str, Any]]


def flatten(value: Any, runtime: Any, path: str = "output") -> tuple[dict[str, np.ndarray], Nodes]:
    """Arrays by path (``output['logits'][0]``), and a node per path.

    A node's ``kind`` is tensor (with dtype and shape), number (a Python one, compared as a tensor), value (str, bytes,
    None), sequence (length), mapping (keys), fields (names), or object (type: nothing that can be compared).
    """
    leaves, nodes = walk(value, runtime, path)
    return {path: array_of(leaf, runtime) for path, leaf in leaves.items()}, nodes


def array_of(leaf: Any, runtime: Any) -> np.ndarray:
    """The values of a tensor or number that ``walk`` found."""
    found: np.ndarray = runtime.array(leaf) if runtime.is_tensor(leaf) else np.asarray(leaf)
    return found


def walk(value: Any, runtime: Any, path: str = "output") -> tuple[dict[str, Any], Nodes]:
    """Tensors, numpy arrays and numbers by path, and a node per path."""
    if runtime.is_tensor(value):
        shape = [int(size) for size in value.shape]
        return {path: value}, {path: {"kind": "tensor", "dtype": runtime.dtype(value), "shape": shape}}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
        return {path: value}, {
            path: {"kind": "tensor", "dtype": "numpy " + str(value.dtype), "shape": list(value.shape)}
        }
    if isinstance(value, (bool, int, float, complex)):
        return {path: value}, {path: {"kind": "number", "dtype": type(value).__name__, "shape": []}}
    if value is None or isinstance(value, (str, bytes)):
        return {}, {path: {"kind": "value", "value": repr(value)}}
    # Mappings first: the outputs of well-known model libraries are mappings and dataclasses at once.
    if hasattr(value, "keys") and hasattr(value, "__getitem__"):
        parts = [(f"[{key!r}]", value[key]) for key in value]
        node: dict[str, Any] = {"kind": "mapping", "keys": sorted(repr(key) for key in value)}
    elif isinstance(value, (tuple, list)):
        parts = [(f"[{position}]", item) for position, item in enumerate(value)]
        node = {"kind": "sequence", "length": len(value)}
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        parts = [("." + name, getattr(value, name)) for name in names]
        node = {"kind": "fields", "names": sorted(names)}
    else:
        return {}, {path: {"kind": "object", "type": type(value).__module__ + "." + type(value).__qualname__}}
    leaves: dict[str, Any] = {}
    nodes: Nodes = {path: node}
    for suffix, item in parts:
        below, described = walk(item, runtime, path + suffix)
        leaves.update(below)
        nodes.update(described)
    return leaves, nodes
