"""What several names are bound to at once: things that share nothing, where that is known."""

from __future__ import annotations

import ast
from typing import Protocol

from rewriters.infer.values import FunctionOf, Plain
from rewriters.places.called import Arguments
from rewriters.places.memory import Memory
from rewriters.places.sites import Sites
from rewriters.places.summary import Summary

MAP = Plain("builtin:map")


class Walk(Protocol):
    """What walks the expressions of a function."""

    memory: Memory

    def of(self, node: ast.expr) -> Sites: ...

    def several(self, nodes: list[ast.expr]) -> list[Sites]: ...

    def called(self, node: ast.Call, function: FunctionOf, arguments: Arguments) -> Sites: ...


def gives_apart(memory: Memory, value: ast.expr | None, sites: Sites, targets: list[ast.expr]) -> bool:
    """Whether a function of the project gives so many things of its own that share nothing."""
    if not isinstance(value, ast.Call) or sites != {memory.site(value)}:
        return False
    effect = memory.effect(value)
    if not isinstance(effect, FunctionOf) or any(isinstance(part, ast.Starred) for part in targets):
        return False
    summary = memory.summary(effect)
    return summary.apart == len(targets) and gives_its_own(summary)


def gives_its_own(summary: Summary) -> bool:
    """Whether what a function gives lies in nothing that it was given, in torch and in the target."""
    return not (summary.lent or summary.itself or summary.its_shape or summary.copied or summary.spread or summary.torn)


def mapped(expressions: Walk, value: ast.expr, targets: list[ast.expr]) -> list[Sites] | None:
    """What each is bound to by ``a, b = map(f, (x, y))``, as by ``a, b = f(x), f(y)``; None for anything else."""
    if not isinstance(value, ast.Call) or getattr(value.func, "v", None) != MAP or len(value.args) != 2:
        return None
    effect, over = expressions.memory.effect(value), value.args[1]
    if not isinstance(effect, FunctionOf) or not isinstance(over, (ast.Tuple, ast.List)):
        return None
    if len(over.elts) != len(targets) or any(isinstance(part, ast.Starred) for part in [*over.elts, *targets]):
        return None
    if not gives_its_own(expressions.memory.summary(effect)):
        return None
    expressions.of(value.args[0])
    own = expressions.memory.site(value)
    found = []
    for place, (sites, part) in enumerate(zip(expressions.several(over.elts), over.elts, strict=True), start=1):
        given = expressions.called(value, effect, [(0, sites, part)])
        found.append((given - {own}) | {expressions.memory.site(value, place)} if own in given else given)
    return found
