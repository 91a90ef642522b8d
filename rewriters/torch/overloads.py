"""Look-ups in the generated table of what torch's callables take (``overloads.json``)."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rewriters.text.parsing import expression_of

POSITIONAL, KEYWORD, VARIADIC = "positional", "keyword", "variadic"


@dataclass(frozen=True)
class Parameter:
    """One parameter of an overload.

    kind:    positional (by keyword too), keyword (by nothing else), variadic.
    default: as source text, ``...`` where nothing tells it; None where an argument must be given.
    types:   words: int, float, number, bool, Tensor, dtype, None, ..., and sequence where several are meant.
    """

    name: str
    kind: str
    default: str | None
    types: frozenset[str]


@cache
def table() -> dict[str, list[list[str]]]:
    loaded: dict[str, list[list[str]]] = json.loads(
        Path(__file__).with_name("overloads.json").read_text(encoding="utf-8")
    )
    return loaded


@cache
def overloads_of(name: str) -> tuple[tuple[Parameter, ...], ...]:
    """The overloads of a canonical name, without the receiver of a method; empty where nothing tells."""
    return tuple(parameters(words) for words in table().get(name, []))


def parameters(words: list[str]) -> tuple[Parameter, ...]:
    found = []
    kind = POSITIONAL
    for word in words:
        if word == "*":
            kind = KEYWORD
            continue
        name, _, rest = word.partition(":")
        types, given, default = rest.partition("=")
        own = VARIADIC if name.startswith("*") else kind
        found.append(Parameter(name.lstrip("*"), own, default if given else None, frozenset(types.split())))
        kind = KEYWORD if own == VARIADIC else kind
    return tuple(found)


@cache
def meant(name: str, place: int | str) -> tuple[Parameter, ...]:
    """What an argument at a place, or of a name, may be meant for: a parameter of each overload that has one there."""
    found = []
    for overload in overloads_of(name):
        if isinstance(place, str):
            found += [one for one in overload if one.name == place and one.kind != VARIADIC]
        else:
            positional = [one for one in overload if one.kind != KEYWORD]
            if 0 <= place < len(positional):
                found.append(positional[place])
            elif place >= 0 and positional and positional[-1].kind == VARIADIC:
                found.append(positional[-1])
    return tuple(found)


def dtype_taken(name: str, place: int | str) -> bool:
    """Whether an argument may be meant for a dtype."""
    named = isinstance(place, str) and place.endswith("dtype")
    return named or any("dtype" in one.types or one.name.endswith("dtype") for one in meant(name, place))


@dataclass(frozen=True)
class Meant:
    """What number an argument is.

    kind:    int, float, or number: either.
    several: whether a sequence of them may be given.
    """

    kind: str
    several: bool


NUMBERS = frozenset({"int", "float", "number"})


@cache
def number_meant(name: str, place: int | str) -> Meant | None:
    """The number that an argument is, where nothing else can be meant there."""
    # An overload that takes None there, or a word, is not the one.
    found = [one for one in meant(name, place) if not one.types or one.types & {*NUMBERS, "Tensor", "bool"}]
    if not found or any(not one.types & NUMBERS or one.types & {"Tensor", "bool"} for one in found):
        return None
    kinds = frozenset().union(*(one.types for one in found)) & NUMBERS
    several = any("sequence" in one.types for one in found)
    return Meant(next(iter(kinds)) if len(kinds) == 1 else "number", several)


@cache
def number_taken(name: str, place: int | str) -> Meant | None:
    """The number that an argument may be, where a tensor, or something else, may be given too."""
    types = frozenset[str]().union(*(one.types for one in meant(name, place)))
    kinds = types & NUMBERS if "bool" not in types else frozenset[str]()  # data: what dtype it has is kept
    return Meant(next(iter(kinds)) if len(kinds) == 1 else "number", True) if kinds else None


EVERY_AXIS = re.compile(r"kernel_size|stride|padding|output_padding|dilation")
OF_AXES = re.compile(r"[23]d(_with_indices)?$")


@cache
def for_every_axis(name: str, place: int | str) -> bool:
    """Whether one item of a sequence there is for all axes: ``max_pool2d(x, (2,))``."""
    found = meant(name, place)
    return bool(OF_AXES.search(name) and found) and all(EVERY_AXIS.fullmatch(one.name) for one in found)


def is_default(name: str, place: int | str, value: ast.expr) -> bool:
    """Whether a literal is what torch takes there when nothing is given."""
    found = meant(name, place)
    return bool(found) and all(one.default is not None and same_text(one.default, value) for one in found)


def same_text(default: str, value: ast.expr) -> bool:
    """Whether a literal says what the text says: ``1`` is ``1.0``, and ``True`` is neither."""
    try:
        one, other = ast.literal_eval(expression_of(default)), ast.literal_eval(value)
    except ValueError:
        return False
    return one == other and isinstance(one, bool) == isinstance(other, bool)
