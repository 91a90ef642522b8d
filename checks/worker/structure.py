"""What a model returned, as named arrays and a description that two interpreters can compare."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict

import numpy as np

Nodes = Dict[str, Dict[str, Any]]


def flatten(value: Any, runtime: Any, path: str = "output") -> tuple[dict[str, np.ndarray], Nodes]:
    """Arrays by path (``output['logits'][0]``), and a node per path.

    A node's ``kind`` is tensor (with dtype and shape), number (a Python one, compared as a tensor), value (str, bytes,
    None), sequence (length), mapping (keys), fields (names), attributes (names and type: those of an object of the
    project's that hold tensors), or object (type: nothing that can be compared).
    """
    leaves, nodes = walk(value, runtime, path)
    return {path: array_of(leaf, runtime) for path, leaf in leaves.items()}, nodes


def array_of(leaf: Any, runtime: Any) -> np.ndarray:
    """The values of a tensor or number that ``walk`` found."""
    found: np.ndarray = runtime.array(leaf) if runtime.is_tensor(leaf) else np.asarray(leaf)
    return found


def walk(value: Any, runtime: Any, path: str = "output", around: tuple[int, ...] = ()) -> tuple[dict[str, Any], Nodes]:
    """Tensors, numpy arrays and numbers by path, and a node per path; ``around``: what the value is a part of."""
    value = getattr(runtime, "opened", lambda value: value)(value)
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
    odd: dict[str, Any] = {"kind": "object", "type": type(value).__module__ + "." + type(value).__qualname__}
    if id(value) in around:
        return {}, {path: odd}
    around = (*around, id(value))
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
        parts = [("." + name, item) for name, item in sorted(attributes(value, runtime).items())]
        node = {**odd, "kind": "attributes", "names": []}
    leaves: dict[str, Any] = {}
    nodes: Nodes = {path: node}
    for suffix, item in parts:
        below, described = walk(item, runtime, path + suffix, around)
        if node["kind"] == "attributes":
            # Settings, locks and the like: another framework may well keep others.
            if not any(runtime.is_tensor(leaf) or isinstance(leaf, np.ndarray) for leaf in below.values()):
                continue
            node["names"].append(suffix[1:])
        leaves.update(below)
        nodes.update(described)
    if node.get("names") == [] and node["kind"] == "attributes":
        nodes[path] = odd
    return leaves, nodes


def attributes(value: Any, runtime: Any) -> dict[str, Any]:
    """What an object of the project's keeps, such as a cache; nothing for a class, a function, a module, or an object
    of the framework's: that another framework keeps in its own ways."""
    module, base = type(value).__module__.partition(".")[0], getattr(runtime, "MODULE", None)
    if module in ("builtins", "types", "functools") or isinstance(value, type) or runtime.is_module(value):
        return {}
    if base is not None and module == base.__module__.partition(".")[0]:
        return {}
    found = getattr(value, "__dict__", {})
    return {name: item for name, item in found.items() if isinstance(name, str)}
