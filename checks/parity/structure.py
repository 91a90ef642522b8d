"""How two descriptions of what was returned (``checks.worker.structure``) differ."""

from __future__ import annotations

from typing import Any

from checks.worker.structure import Nodes


def say(node: dict[str, Any]) -> str:
    """A node in a few words."""
    kind = node["kind"]
    if kind in ("tensor", "number"):
        return "{} {}{}".format(kind, node["dtype"], node["shape"] if kind == "tensor" else "")
    words = {"value": "value", "sequence": "length", "mapping": "keys", "fields": "names"}
    words.update(attributes="names", object="type")
    detail = node[words[kind]]
    text = ", ".join(detail) if isinstance(detail, list) else str(detail)
    if kind == "value":
        return text
    said = {"sequence": "sequence of %s", "mapping": "mapping of %s", "object": "%s"}
    return said.get(kind, "object with %s") % text


ODD = {"object", "attributes"}


def left_out(torch: Nodes, target: Nodes) -> dict[str, str]:
    """Path -> type of what cannot be compared: objects in which one side knows no tensor."""
    kinds = {path: {node["kind"], target[path]["kind"]} for path, node in torch.items() if path in target}
    return {path: torch[path]["type"] for path, found in kinds.items() if "object" in found and found <= ODD}


def differences(torch: Nodes, target: Nodes) -> dict[str, str]:
    """Path -> how the target's result differs in structure, dtype or shape; outermost first, empty when it does not."""
    found: dict[str, str] = {}
    odd = left_out(torch, target)
    for path, node in torch.items():
        if path in odd or any(is_below(path, known) for known in (*found, *odd)):
            continue  # a difference that contains it is already named
        other = target.get(path)
        if other is None:
            found[path] = f"structure: torch returns {say(node)}, the target nothing"
        elif other["kind"] != node["kind"]:
            found[path] = f"structure: torch returns {say(node)}, the target {say(other)}"
        elif node["kind"] in ("tensor", "number"):
            if other["dtype"] != node["dtype"]:
                found[path] = "dtype: torch {}, the target {}".format(node["dtype"], other["dtype"])
            elif other["shape"] != node["shape"]:
                found[path] = "shape: torch {}, the target {}".format(node["shape"], other["shape"])
        elif node["kind"] == "attributes":
            if other["names"] != node["names"]:
                found[path] = f"structure: torch returns {say(node)}, the target {say(other)}"
        elif other != node:
            found[path] = f"structure: torch returns {say(node)}, the target {say(other)}"
    for path, node in target.items():
        if path not in torch and not any(is_below(path, known) for known in (*found, *odd)):
            found[path] = f"structure: the target returns {say(node)}, torch nothing"
    return found


def is_below(path: str, container: str) -> bool:
    """Whether the path is a part of what stands at the other."""
    return path.startswith((container + "[", container + "."))
