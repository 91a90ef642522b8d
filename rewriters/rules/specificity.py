"""Which of a name's overloads answers where several admit a call: the most specific, as far as their signatures tell.

As generic functions choose among their methods: what admits less comes first, else the overload whose earlier
parameter admits less (argument precedence), else the one that must be given more. Where overloads lie plays no part.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Protocol

from rewriters.rules.annotations import RANK, TENSOR_KINDS, TENSORS

SEQUENCES = {"list", "tuple"}

Types = frozenset[str] | None
"""What a parameter's annotation admits, each alternative's text; None where it has no annotation, and admits all."""


class Overload(Protocol):
    """A rule, as far as it matters here."""

    @property
    def parameters(self) -> ast.arguments: ...

    @property
    def place(self) -> str: ...


class Tie(ValueError):
    """Two overloads admit the same calls, and neither says more."""


@dataclass(frozen=True)
class Signature:
    """An overload's parameters.

    positional: names that take arguments by position.
    needed:     names that must be given.
    types:      of each name, and of ``*args``.
    rest:       the name of ``*args``.
    open:       whether it takes any keyword.
    """

    positional: tuple[str, ...]
    needed: frozenset[str]
    types: dict[str, Types]
    rest: str | None
    open: bool

    @classmethod
    def of(cls, spec: ast.arguments, supplied: Collection[str] = ()) -> Signature:
        """supplied: keyword-only parameters that the target supplies where they have no default, not the call."""
        before = [*spec.posonlyargs, *spec.args]
        needed = {a.arg for a in before[: len(before) - len(spec.defaults)]}
        pairs = list(zip(spec.kwonlyargs, spec.kw_defaults, strict=True))
        given = [(a, default) for a, default in pairs if default is not None or a.arg not in supplied]
        needed |= {a.arg for a, default in given if default is None}
        held = [*before, *(a for a, _ in given), *([spec.vararg] if spec.vararg else [])]
        return cls(
            tuple(a.arg for a in before),
            frozenset(needed),
            {a.arg: types_of(a.annotation) for a in held},
            spec.vararg.arg if spec.vararg else None,
            spec.kwarg is not None,
        )

    @cached_property
    def names(self) -> set[str]:
        return set(self.types) - {self.rest}

    def least(self) -> int:
        """How many arguments by position it needs where none is given by keyword."""
        return sum(name in self.needed for name in self.positional)

    def takes(self, count: int) -> bool:
        return self.rest is not None or count <= len(self.positional)

    def at(self, place: int) -> Types:
        """What the argument at this place may be, which it takes."""
        name = self.positional[place] if place < len(self.positional) else self.rest
        assert name is not None
        return self.types[name]


def types_of(annotation: ast.expr | None) -> Types:
    if annotation is None:
        return None
    if isinstance(annotation, ast.BinOp):
        return (types_of(annotation.left) or frozenset()) | (types_of(annotation.right) or frozenset())
    if isinstance(annotation, ast.Tuple):
        return frozenset[str]().union(*(types_of(part) or frozenset() for part in annotation.elts))
    return frozenset([ast.unparse(annotation)])


def is_rank(name: str) -> bool:
    return name.startswith(f"{RANK}[")


def is_tensor(name: str) -> bool:
    return name in TENSOR_KINDS or is_rank(name) or name.rpartition(".")[2] in TENSORS


def within(name: str, other: str) -> bool:
    """Whether what the one admits the other admits, too."""
    if name == other or (name == "bool" and other == "int"):
        return True
    if is_tensor(name) and other.rpartition(".")[2] in TENSORS:
        return True
    if name.rpartition(".")[2] == "Size":  # a list in some targets, a tuple in others
        return other in SEQUENCES or other.rpartition(".")[2] == "Sequence"
    return name in SEQUENCES and other.rpartition(".")[2] == "Sequence"


def meets(name: str, other: str) -> bool:
    """Whether something is admitted by both: a tensor has one kind of dtype and one rank."""
    if within(name, other) or within(other, name):
        return True
    return is_tensor(name) and is_tensor(other) and (name in TENSOR_KINDS) != (other in TENSOR_KINDS)


def narrower(types: Types, other: Types) -> bool:
    """Whether all that the one admits is admitted by the other."""
    if other is None or types is None:
        return other is None
    return all(any(within(name, wider) for wider in other) for name in types)


def common(types: Types, other: Types) -> bool:
    """Whether something else than None is admitted by both: leaving an argument out tells no overloads apart."""
    if types is None or other is None:
        return True
    return any(meets(a, b) for a in types - {"None"} for b in other - {"None"}) or types == other == {"None"}


def overlap(one: Signature, other: Signature) -> bool:
    """Whether some call is admitted by both: one that gives so many by place and, by name, what else is needed."""
    return any(both_take(one, other, count) for count in range(max(len(one.positional), len(other.positional)) + 2))


def both_take(one: Signature, other: Signature, count: int) -> bool:
    """The same with ``count`` arguments by place."""
    if not one.takes(count) or not other.takes(count):
        return False
    words = one.needed.difference(one.positional[:count]) | other.needed.difference(other.positional[:count])
    for taker in (one, other):
        if words.intersection(taker.positional[:count]) or not (taker.open or words <= taker.types.keys()):
            return False
    given = [(one.at(place), other.at(place)) for place in range(count)]
    given += [(one.types.get(word), other.types.get(word)) for word in words]
    return all(common(mine, its) for mine, its in given)


def contains(wide: Signature, less: Signature) -> bool:
    """Whether the one admits every call that the other admits."""
    places = len(less.positional)
    if not wide.takes(places) or (less.rest and not wide.rest):
        return False
    if not wide.open and (less.open or not less.names <= wide.names):
        return False
    by_place = set(wide.positional[: less.least()])
    if not wide.needed <= by_place | less.needed:
        return False
    if not all(narrower(less.at(place), wide.at(place)) for place in range(places)):
        return False
    if less.rest and wide.rest and not narrower(less.types[less.rest], wide.types[wide.rest]):
        return False
    return all(narrower(less.types[name], wide.types[name]) for name in less.names & wide.names)


def weights(types: Types) -> tuple[bool, bool]:
    """A kind of dtype says more than a rank, and both more than that it is a tensor."""
    some = types or frozenset()
    return (not some.intersection(TENSOR_KINDS), not any(map(is_rank, some)))


def exact(types: Types, other: Types) -> bool:
    """Whether it names something more exactly than the other does: ``bool | float`` beside ``int``."""
    if types is None or other is None:
        return False
    return any(within(name, wider) and name != wider for name in types for wider in other)


def pairs(one: Signature, other: Signature) -> Iterator[tuple[Types, Types]]:
    """What both say of the same argument, by place, then by name."""
    for place in range(max(len(one.positional), len(other.positional)) + 1):
        if one.takes(place + 1) and other.takes(place + 1):
            yield one.at(place), other.at(place)
    shared = [name for name in one.types if name in other.names and name in one.names]
    yield from ((one.types[name], other.types[name]) for name in shared)


def first_of(one: Signature, other: Signature) -> int:
    """-1 where the one comes first, 1 where the other does, 0 where neither says more."""
    inner, outer = contains(other, one), contains(one, other)
    if inner != outer:
        return -1 if inner else 1
    for mine, its in pairs(one, other):
        less, more = narrower(mine, its), narrower(its, mine)
        if less != more:
            return -1 if less else 1
        if exact(mine, its) != exact(its, mine):
            return -1 if exact(mine, its) else 1
        if not less and weights(mine) != weights(its):
            return -1 if weights(mine) < weights(its) else 1
    for figures in (
        (bool(one.rest), bool(other.rest)),
        (-len(one.needed), -len(other.needed)),
        (len(one.names), len(other.names)),
    ):
        if figures[0] != figures[1]:
            return -1 if figures[0] < figures[1] else 1
    return 0


def in_order(rules: Sequence[Overload], supplied: Collection[str] = ()) -> list[int]:
    """Their places in the sequence, the most specific first. Raises Tie naming both, file and line."""
    found = [Signature.of(rule.parameters, supplied) for rule in rules]
    after: dict[int, set[int]] = {place: set() for place in range(len(rules))}
    for a, b in combinations(range(len(rules)), 2):
        if not overlap(found[a], found[b]):
            continue
        which = first_of(found[a], found[b])
        if which == 0:
            if not all(common(mine, its) for mine, its in pairs(found[a], found[b])):
                continue  # a call that leaves out what tells them apart means the same in both
            raise Tie(f"{rules[b].place}: admits the same calls as {rules[a].place}, and neither says more of them")
        after[b if which < 0 else a].add(a if which < 0 else b)
    done: list[int] = []
    while len(done) < len(rules):
        free = [place for place in after if place not in done and after[place] <= set(done)]
        if not free:
            raise Tie(f"{rules[0].place}: its overloads have no order: each says more than the next")
        done.append(free[0])
    return done
