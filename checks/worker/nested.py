"""The arguments of a call as JSON: containers and plain values as they are, tensors by the names of their arrays.

A node is ``{"tensor": NAME}``, ``{"value": V}`` (None, a bool, number or string), ``{"list": [node, ...]}``,
``{"tuple": [node, ...]}`` or ``{"dict": [[key, node], ...]}``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def build(node: dict[str, Any], tensor: Callable[[str], Any]) -> Any:
    """The argument that the node describes; ``tensor`` makes the one of a name."""
    if "tensor" in node:
        return tensor(node["tensor"])
    if "value" in node:
        return node["value"]
    if "list" in node:
        return [build(item, tensor) for item in node["list"]]
    if "tuple" in node:
        return tuple(build(item, tensor) for item in node["tuple"])
    return {key: build(item, tensor) for key, item in node["dict"]}


def names(node: dict[str, Any]) -> Iterator[str]:
    """The tensors of a node, in order."""
    if "tensor" in node:
        yield node["tensor"]
    for item in [*node.get("list", ()), *node.get("tuple", ()), *(value for _, value in node.get("dict", ()))]:
        yield from names(item)
