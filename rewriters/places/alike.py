"""Parameters by which some call gives one tensor twice: ``step(q=x, other=x)``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from rewriters.infer.syntax import path_of
from rewriters.infer.values import FunctionOf, ModuleInfo
from rewriters.places.calls import given, is_tensor
from rewriters.places.kept_copies import root_of
from rewriters.places.parameters import FUNCTIONS, free_names, parameters_of


def note_alike(modules: Iterable[ModuleInfo]) -> None:
    """Each such parameter of a project's function, at its node: ``alike``, with the name that holds the same tensor."""
    free: dict[ast.AST, frozenset[str]] = {}
    for module in modules:
        for call in module.nodes.of(ast.Call):
            called = getattr(call.func, "v", None)
            if not isinstance(called, FunctionOf) or not (call.args or call.keywords):
                continue
            node = called.info.node
            top = called.info.module is module and module.nodes.around(call, *FUNCTIONS) is None
            if top and node not in free:
                free[node] = free_names(node)
            known: dict[str, tuple[str, ast.expr]] = {}
            for name, part in tensors_given(call, called):
                path = path_of(root_of(part)) or ""
                if path in known and not apart(part, known[path][1]):
                    vars(node).setdefault("alike", {})[name] = known[path][0]
                elif top and path in free[node]:
                    vars(node).setdefault("alike", {})[name] = path
                elif path:
                    known.setdefault(path, (name, part))


def tensors_given(call: ast.Call, called: FunctionOf) -> Iterator[tuple[str, ast.expr]]:
    """The parameters that a call gives a tensor."""
    parameters = parameters_of(called.info.node, called.receiver is not None or called.info.kind == "method")
    for place, part in given(call, None):
        taken = parameters.taken_by(place) if is_tensor(part) else ()
        if len(taken) == 1:
            yield taken[0], part


def apart(one: ast.expr, other: ast.expr) -> bool:
    """``x[0]`` and ``x[1]``"""
    return isinstance(one, ast.Subscript) and isinstance(other, ast.Subscript) and ast.dump(one) != ast.dump(other)
