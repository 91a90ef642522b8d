"""In which functions a tensor may become another than it was: ``q.data = y``, ``q.t_()``, also a caller's."""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo
from rewriters.places.given_out import Known

#: Calls of functions that call functions are followed so deep.
FOLLOWED = 3


def may_become_other(places: Known, node: ast.AST, module: ModuleInfo, depth: int = 0) -> bool:
    """Whether a tensor may become other than it was in a function, or in one that it calls, so deep as is followed."""
    events = places.events(module)
    if node in events.with_objects:
        return True
    called = events.called.get(node, ()) if depth < FOLLOWED else ()
    return any(may_become_other(places, info.node, info.module, depth + 1) for info in called)
