"""What is known of a function of the project, for those who call it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from rewriters.places.parameters import Parameters
from rewriters.places.sites import Reader
from rewriters.text.tree import last_name


@dataclass(frozen=True)
class Summary:
    """What a function of the project does with what it is given.

    parameters: what it is given comes by them.
    new:        whether it gives something of its own.
    hands_back: parameters that its result may be, or hold.
    keeps:      parameters that others hold afterwards, and who.
    outside:    whether its result may be what others hold.
    changes:    parameters that change in place.
    copied:     parameters in whose memory its result lies in torch, and not in the target.
    only_copies: whether that is so of all that it gives.
    torn:       whether it gives, in the target, a copy beside what it is a copy of.
    lent:       parameters in whose memory its result may lie in the target alone, if they have no axes.
    spread:     whether many elements of its result have one place in torch's memory, and their own in the target's.
    becoming:   parameters that become another tensor than they were, each with by what (``q.data = y``, ``q.t_()``).
    becomes:    whether something else that others may have becomes another tensor.
    itself:     parameters that its result may be in one of torch and the target alone; "" for what is not known.
    its_shape:  those that its result may have its shape in common with, in the target.
    apart:      of how many things that share nothing its result is a tuple; 0 for another.
    free:       names that it reads from around it, and which count as parameters above.
    """

    parameters: Parameters = field(default_factory=Parameters)
    new: bool = True
    hands_back: frozenset[str] = frozenset()
    keeps: dict[str, Reader] = field(default_factory=dict)
    outside: bool = True
    changes: frozenset[str] = frozenset()
    copied: frozenset[str] = frozenset()
    only_copies: bool = False
    lent: frozenset[str] = frozenset()
    spread: bool = False
    torn: bool = False
    free: frozenset[str] = frozenset()
    becoming: frozenset[tuple[str, str]] = frozenset()
    becomes: bool = False
    itself: frozenset[str] = frozenset()
    its_shape: frozenset[str] = frozenset()
    apart: int = 0


def keeps_results(node: ast.AST) -> bool:
    """Whether a function is decorated by what gives the same result again: ``@lru_cache(None)``."""
    decorators = (one.func if isinstance(one, ast.Call) else one for one in getattr(node, "decorator_list", ()))
    names = [last_name(one).lower() for one in decorators]
    return any("cache" in name or "memo" in name for name in names)
