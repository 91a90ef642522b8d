"""Whether a function is one of some, or calls one that is, however far."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, MutableMapping

from rewriters.infer.values import ModuleInfo
from rewriters.places.events import Events
from rewriters.places.given_out import Known


def reaches(
    places: Known,
    node: ast.AST,
    module: ModuleInfo,
    known: MutableMapping[ast.AST, bool],
    those: Callable[[Events], Collection[ast.AST]],
) -> bool:
    """those: the functions of a file that are meant. known: what was found out so far."""
    found = known.get(node)
    if found is None:
        known[node] = True  # for one that comes back to itself
        events = places.events(module)
        inner = events.called.get(node, ())
        found = node in those(events) or any(reaches(places, one.node, one.module, known, those) for one in inner)
        known[node] = found
    return found
