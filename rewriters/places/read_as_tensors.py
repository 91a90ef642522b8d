"""Arrays that change, where tensors share no memory with them: who reads the change as a tensor in torch."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from rewriters.places.accesses import name_of_root
from rewriters.places.calls import is_array, is_tensor
from rewriters.places.memory import Memory
from rewriters.places.sites import Reader, Sites, above, overlap
from rewriters.text.tree import walk


class Readers(Protocol):
    """The changes of a function, as far as they are asked here."""

    body: Sequence[ast.stmt]
    memory: Memory

    def readers(self, sites: Sites, node: ast.expr, test: Callable[[str, Sites], bool]) -> Iterator[Reader]: ...


def read_as_tensor(changes: Readers, sites: Sites, node: ast.expr) -> Reader | None:
    """Who reads later, as a tensor, what an array has in its memory: ``t`` of ``t.numpy()[0] = 1``."""
    own = name_of_root(node) if isinstance(node, (ast.Name, ast.Subscript)) else ""

    def lies_there(name: str, held: Sites) -> bool:
        if name == own or not overlap(sites, held):
            return False
        if any(site.node is not None and is_tensor(site.node) for site in above(sites | held)):
            return True
        return name in given

    given = tensors_of(changes.body)
    found = next(changes.readers(sites, node, lies_there), None)
    outside = sorted(site.name for site in above(sites) if site.outside and site.name in changes.memory.parameters)
    named = (Reader(f"whoever gives {name}") for name in outside if name in given)
    return found or next(named, None)


def tensors_of(body: Sequence[ast.stmt]) -> set[str]:
    """Names of which some statement takes the array: ``t`` of ``t.detach().numpy()``."""
    calls = (node for statement in body for node in walk(statement) if isinstance(node, ast.Call))
    arrays = (call.func for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "numpy")
    return {root_of(array.value) for array in arrays if not is_array(getattr(array.value, "v", None))}


def root_of(node: ast.expr) -> str:
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
