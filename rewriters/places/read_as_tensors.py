"""Arrays that change, where tensors share no memory with them: who reads the change as a tensor in torch."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Protocol

from rewriters.places.accesses import name_of_root
from rewriters.places.calls import is_tensor
from rewriters.places.sites import Reader, Sites, above, overlap


class Readers(Protocol):
    """The changes of a function, as far as they are asked here."""

    def readers(self, sites: Sites, node: ast.expr, test: Callable[[str, Sites], bool]) -> Iterator[Reader]: ...


def read_as_tensor(changes: Readers, sites: Sites, node: ast.expr) -> Reader | None:
    """Who reads later, as a tensor, what an array has in its memory: ``t`` of ``t.numpy()[0] = 1``."""
    own = name_of_root(node) if isinstance(node, (ast.Name, ast.Subscript)) else ""

    def lies_there(name: str, held: Sites) -> bool:
        shared = name != own and overlap(sites, held)
        return shared and any(site.node is not None and is_tensor(site.node) for site in above(sites | held))

    return next(changes.readers(sites, node, lies_there), None)
