"""Functions that take any number of tensors, and what they give lies in the memory of one only where it is alone."""

from __future__ import annotations

import ast

from rewriters.infer.values import Items, Plain, Series, Tensor, Unknown, Value
from rewriters.torch.effects import Schema, parameter_of

TEXT = Plain("str")


def aliased(name: str, schema: Schema, parts: list[tuple[int | str, ast.expr]]) -> frozenset[int | str]:
    """The arguments of a call of torch's function that its result may lie in the memory of."""
    found: set[int | str] = set()
    for parameter, word in schema.aliases.items():
        mine = {place: part for place, part in parts if parameter_of(name, place) == parameter}
        if word != "alone" or tensors_in(list(mine.values())) < 2:
            found |= set(mine)
    return frozenset(found)


def tensors_in(arguments: list[ast.expr]) -> int:
    """How many tensors they are at least: those that are known, and behind a text (``einsum("ij,jk", x, y)``) all."""
    behind = bool(arguments) and getattr(arguments[0], "v", None) == TEXT
    return sum(at_least(part, behind) for part in arguments)


def at_least(part: ast.expr, behind: bool) -> int:
    value: Value | None = getattr(part, "v", None)
    if isinstance(value, Items):
        return sum(may_be(one, behind) for one in value.values)
    if isinstance(value, Series):
        return int(isinstance(value.element, Tensor))
    return 0 if isinstance(getattr(part, "parent", None), ast.Starred) else int(may_be(value, behind))


def may_be(value: Value | None, behind: bool) -> bool:
    return isinstance(value, Tensor) or (behind and (value is None or isinstance(value, Unknown)))
