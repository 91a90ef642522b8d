"""A whole module that was pickled, ``torch.save(model, PATH)``: its state_dict, without its class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from migrate.weights.readers.pickled import Opaque
from migrate.weights.readers.tensor import TensorRef, Unreadable

MOST_MODULES = 1 << 20


def is_module(node: Any) -> TypeGuard[Opaque]:
    state = node.state if isinstance(node, Opaque) else None
    return isinstance(state, dict) and "_modules" in state and "_parameters" in state


def module_state(root: Opaque) -> Mapping[str, Any]:
    """Dotted name -> tensor: what Module.state_dict gives, in its order, unless a class overrides it.

    A module that is reached by two paths is under both, as it is in torch.
    """
    found: dict[str, Any] = {}
    pending: list[tuple[str, Opaque, frozenset[int]]] = [("", root, frozenset())]
    for _ in range(MOST_MODULES):
        if not pending:
            break
        prefix, module, above = pending.pop()
        transient = _members(module.state.get("_non_persistent_buffers_set"))
        for group in ("_parameters", "_buffers"):
            for name, value in _items(module.state.get(group)):
                if isinstance(value, (TensorRef, Unreadable)) and (group == "_parameters" or name not in transient):
                    found[prefix + name] = value
        inner = above | {id(module)}  # a module that contains itself has no state_dict
        pending += reversed(
            [
                (f"{prefix}{name}.", child, inner)
                for name, child in _items(module.state.get("_modules"))
                if is_module(child) and id(child) not in inner
            ]
        )
    return found


def _items(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, Opaque):
        value = value.entries
    return [(name, item) for name, item in value.items() if isinstance(name, str)] if isinstance(value, dict) else []


def _members(value: Any) -> list[Any]:
    """Of a set, which old protocols make by calling set on a list."""
    if isinstance(value, Opaque):
        value = value.args[0] if value.args else value.items
    return value if isinstance(value, list) else []
