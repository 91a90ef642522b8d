"""What a name may hold, as far as sharing goes."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

Sites = frozenset["Site"]


@dataclass(frozen=True, eq=False)
class Site:
    """Where a tensor, or what holds tensors, came from.

    node: the expression that made it; None for what came from outside of the function.
    name: of the parameter that it came by; what it is, for other things from outside.
    base: for a part: what it is a part of. Parts of one thing do not overlap each other,
    view: but views may: each is all of its base, as far as changes go.
    cut:  a view that no gradient knows of: ``x.data``.
    index: which part it is of what a node gives several of.
    beyond, under: all that it is a part of; of that, what is no view.
    """

    node: ast.AST | None
    name: str = ""
    base: Sites = frozenset()
    view: bool = False
    cut: bool = False
    index: int = 0
    beyond: Sites = field(default=frozenset(), init=False, repr=False)
    under: Sites = field(default=frozenset(), init=False, repr=False)

    @property
    def outside(self) -> bool:
        return self.node is None

    def __post_init__(self) -> None:
        """Its base never changes, so what is above it is found once: it is asked for all the time."""
        if self.base:
            object.__setattr__(self, "beyond", frozenset(above(self.base)))
            object.__setattr__(self, "under", frozenset(whole(self.base)))


OUTSIDE = Site(None)
NOWHERE: Sites = frozenset()
ANYWHERE: Sites = frozenset({OUTSIDE})


@dataclass(frozen=True)
class Reader:
    """Who else sees a change: a name, or words for others; line: where it is read, or handed over; 0 for not known."""

    name: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.name} (line {self.line})" if self.line else self.name


@dataclass
class State:
    """What is known at a point of a function.

    holds:   name -> sites of what it holds.
    escaped: sites that others may hold from here on, and who.
    stored:  attribute, by its whole text -> sites of what was stored to it last; it may hold others meanwhile.
    """

    holds: dict[str, Sites] = field(default_factory=dict)
    escaped: dict[Site, Reader] = field(default_factory=dict)
    stored: dict[str, Sites] = field(default_factory=dict)

    def copy(self) -> State:
        return State(dict(self.holds), dict(self.escaped), dict(self.stored))

    def join(self, other: State) -> None:
        for name, sites in other.stored.items():
            self.stored[name] = self.stored.get(name, NOWHERE) | sites
        for name, sites in other.holds.items():
            self.holds[name] = self.holds.get(name, NOWHERE) | sites
        for site, reader in other.escaped.items():
            self.escaped.setdefault(site, reader)


def above(sites: Iterable[Site]) -> set[Site]:
    """The sites and all that they are parts of."""
    found = set(sites)
    for site in tuple(found):
        if site.base:
            found |= site.beyond
    return found


def are_apart(held: Iterable[Sites]) -> bool:
    """Whether no two of them share anything."""
    seen: set[Site] = set()
    for sites in held:
        mine = above(sites)
        if seen & mine:
            return False
        seen |= mine
    return True


def is_cut(site: Site) -> bool:
    """Whether it is what no gradient knows of, or lies in that: ``x.data[1:]``."""
    known = site.base - ANYWHERE
    return site.cut or (bool(known) and all(map(is_cut, known)))


def ordered(sites: Iterable[Site]) -> list[Site]:
    """In the order of the source: the same for the same text."""
    return sorted(sites, key=place)


def place(site: Site) -> tuple[object, ...]:
    """``x`` and ``x.chunk(2)`` begin at one place, and end at two."""
    spots = ("lineno", "col_offset", "end_lineno", "end_col_offset")
    return (*(getattr(site.node, spot, 0) for spot in spots), site.index, site.name)


def whole(sites: Iterable[Site]) -> set[Site]:
    """What the sites lie in, views put aside."""
    found: set[Site] = set()
    for site in sites:
        if site.view:
            found |= site.under
        else:
            found.add(site)
    return found


def overlap(one: Iterable[Site], other: Iterable[Site]) -> bool:
    """Whether a change of the one may be seen in the other: parts that different calls make of one thing do overlap."""
    one, other = whole(one), whole(other)
    if not one.isdisjoint(other) or not one.isdisjoint(above(other)) or not other.isdisjoint(above(one)):
        return True
    parts = [site for site in other if site.base]
    return any(not a.beyond.isdisjoint(b.beyond) and not beside(a, b) for a in one if a.base for b in parts)


def beside(one: Site, other: Site) -> bool:
    """Whether some call made the two, or what they lie in, as parts of one thing."""
    made = {site.node: site for site in above({one}) if site.base}
    return any(site.base and made.get(site.node, site) is not site for site in above({other}))


def is_part_of_others(site: Site, state: State) -> bool:
    """Whether it is a part of what came from outside, or went there."""
    return any(base.outside or base in state.escaped for base in above(site.base))
