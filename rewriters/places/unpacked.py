"""What several names are bound to at once: things that share nothing, where that is known."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.values import FunctionOf
from rewriters.places.memory import Memory
from rewriters.places.sites import Sites
from rewriters.places.summary import Summary


def has_starred(parts: Iterable[ast.expr]) -> bool:
    return any(isinstance(part, ast.Starred) for part in parts)


def gives_apart(memory: Memory, value: ast.expr | None, sites: Sites, targets: list[ast.expr]) -> bool:
    """Whether a function of the project gives so many things of its own that share nothing."""
    if not isinstance(value, ast.Call) or sites != {memory.site(value)}:
        return False
    effect = memory.effect(value)
    if not isinstance(effect, FunctionOf) or has_starred(targets):
        return False
    summary = memory.summary(effect)
    return summary.apart == len(targets) and gives_its_own(summary)


def gives_its_own(summary: Summary) -> bool:
    """Whether what a function gives lies in nothing that it was given, in torch and in the target."""
    return not (summary.lent or summary.itself or summary.its_shape or summary.copied or summary.spread or summary.torn)
