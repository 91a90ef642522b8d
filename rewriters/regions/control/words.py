"""What a target says of branches and loops that values decide: the interface of its ``static.py``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from rewriters.regions.plan import Draft


@dataclass
class Way:
    """A branch, or a turn of a loop, as text of the target: statements, and the expression that they end with."""

    lines: list[str]
    final: str


@dataclass
class Chosen:
    """One of two ways.

    test:     the expression of a scalar.
    one, other: the ways, where it is true and where not; comments above the statement are not theirs.
    names:    of the functions of the two.
    modules:  parameter -> argument: those that a way calls.
    operands: names that go in and are bound anew.
    results:  what the call is bound to; "return" where it is returned, "" where it is a part of an expression.
    """

    test: str
    one: Way
    other: Way
    names: tuple[str, str]
    modules: dict[str, str]
    operands: list[str]
    results: str


@dataclass
class Repeated:
    """Turns while a value asks for them.

    test, turn: what a turn begins with, and what it does to what is carried.
    carried:    names that each turn gives to the next; start: what they begin with; bound: what they are bound to
                in the end.
    counter:    where there is one, with its bounds: then ``test`` is "", and it is given to ``turn`` first.
    """

    test: str
    turn: Way
    names: tuple[str, str]
    modules: dict[str, str]
    carried: list[str]
    start: list[str]
    bound: list[str]
    counter: str = ""
    bounds: list[str] = field(default_factory=list)


class Words(Protocol):
    """A target's."""

    def chosen(self, what: Chosen, draft: Draft) -> list[str]:
        """The lines in the statement's place; of a part of an expression one line."""

    def repeated(self, what: Repeated, draft: Draft) -> list[str]:
        """The lines in the loop's place."""

    def scalar(self, text: str, draft: Draft) -> str:
        """Of an array of one element, the element without axes."""

    def exact(self, text: str, draft: Draft) -> str:
        """An array in the precision of Python's numbers."""

    def both(self, parts: list[str], draft: Draft) -> str:
        """Whether all of them are true: scalars, each computed whatever the others are."""

    def either(self, parts: list[str], draft: Draft) -> str:
        """Whether one of them is true."""

    def negated(self, text: str, draft: Draft) -> str:
        """Whether it is false."""

    def nonzero(self, text: str, draft: Draft) -> str:
        """The truth of a number's array."""
