"""What the conversion of one file did, site by site."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum


class Word(str, Enum):
    """An enumeration whose members are written and compared as their text (``enum.StrEnum``, from Python 3.11 on)."""

    __str__ = str.__str__


class Outcome(Word):
    """What became of one use of torch.

    STATIC and EAGER are those of ``--static``.
    """

    SAME = "same"
    INLINED = "inlined"
    HELPER = "helper"
    MARKED = "marked"
    DIFFERS = "differs"
    NOTED = "noted"
    UNKNOWN = "unknown"
    STATIC = "static"
    EAGER = "eager"


RUNS = frozenset({Outcome.SAME, Outcome.INLINED, Outcome.HELPER})
"""Those of uses that run in the target."""

BESIDE = frozenset({Outcome.DIFFERS, Outcome.NOTED})
"""A use may have one of these beside another: what comes out of it is not quite torch's."""

GOES_ON = "here the program goes on without it"
"""What is said where the target lacks something and the program asks, or catches, whether it is there."""


OURS = "Please report this."
"""What the error of a file ends with that failed by a fault of the converter, not of its own."""


class Risk(Word):
    """What a use that is left alone would do if its receiver were a tensor.

    UNTRIED: nothing says it.
    """

    DIFFERS = "differs"
    UNTRIED = "untried"
    RAISES = "raises"
    SAME = "same"


class Status(Word):
    """What became of a file."""

    CONVERTED = "converted"
    UNCHANGED = "unchanged"
    FAILED = "failed"


MARK = "# migrate:"


class Code(Word):
    """What a comment above a statement begins with: ``# migrate: refused ...``."""

    REFUSED = "refused"
    NO_RULE = "no-rule"
    UNSUPPORTED = "unsupported"
    DIFFERS = "differs"
    STATIC = "STATIC"

    def comment(self, reason: str) -> str:
        return f"{MARK} {self} {reason}"


@dataclass(frozen=True, slots=True)
class Site:
    """One use of a torch name.

    api:     canonical torch name; for UNKNOWN the attribute (``.view``).
    detail:  the rule and how it was applied; for HELPER why it was not inlined; for MARKED, DIFFERS and NOTED the
             reason; for UNKNOWN what would decide it.
    risk:    for UNKNOWN: a ``Risk``.
    origin:  for UNKNOWN: the answer that would decide it, as ``--assume`` takes it; "" where nothing has a name.
    """

    line: int
    column: int
    api: str
    outcome: Outcome
    detail: str = ""
    risk: str = ""
    origin: str = ""

    def values(self) -> tuple[str | int, ...]:
        """In order, up to the last that says something: there are tens of thousands."""
        known = (self.line, self.column, self.api, self.outcome, self.detail)
        return (*known, self.risk, self.origin) if self.risk else known


@dataclass
class FileReport:
    """One file's row."""

    path: str
    status: Status = Status.UNCHANGED
    error: str = ""
    sites: list[Site] = field(default_factory=list)

    @property
    def is_ours(self) -> bool:
        """Whether it failed by a fault of the converter."""
        return self.error.endswith(OURS)

    def counts(self) -> Counter[Outcome]:
        return Counter(site.outcome for site in self.sites)
