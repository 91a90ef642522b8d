"""What a check found: a report holds entries, an entry levels, a level rows. Plain data, in memory and as JSON.

``to_dict`` and ``from_dict`` are each other's inverse; infinities and NaN travel as strings: "inf", "-inf", "nan".
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SCHEMA = 2

LEVELS = ("outputs", "activations", "gradients", "steps", "double")
"""In the order in which they are run and reported."""

SAME, SKIPPED, WARNED, FAILED, DIFFERS = "same", "skipped", "warn", "failed", "differs"
ORDER = (SAME, SKIPPED, WARNED, FAILED, DIFFERS)
"""Verdicts, the worst last. ``skipped``: not comparable, the note says why. ``failed``: could not be run (a hang, no
memory), so that nothing is known."""

T = typing.TypeVar("T")


def worst(verdicts: Iterable[str]) -> str:
    """The worst of them; ``same`` for none."""
    return max(verdicts, key=ORDER.index, default=SAME)


@dataclass
class Difference:
    """One finding.

    kind:  structure, dtype, shape, nan, integers, values, tolerance, missing (there is nothing to compare with).
    text:  one line.
    """

    kind: str
    text: str


@dataclass
class Row:
    """The comparison of one tensor, or of several that are judged together.

    name:        an output's path, a module's qualified name (with ``#2`` from its second call on), or a parameter's.
    kind:        output, layer, alone (a layer fed torch's own input), parameter, buffer, input, or loss.
    step:        the optimizer step after which it was taken, counted from 1; None outside of the steps level.
    where:       file:line in the converted project, relative to its folder; "" when there is none.
    shape, dtype: torch's.
    max_abs, max_rel: against torch64 (without it: torch32), over the elements that are finite on both sides; max_rel
                 over those that are not 0.
    error, floor: rms, in the tensor's own unit; ratio is their quotient. None for integers and where structure, dtype
                 or shape differ.
    floor_from:  the term that set the floor.
    verdict:     same, skipped, warn, or differs.
    differences: what was found, the worst kind first.
    cause:       "agrees when eps=1e-06": what was tried on the torch side and brought both together, or "".
    note:        anything else that a reader must know.
    """

    name: str
    kind: str = "output"
    step: int | None = None
    where: str = ""
    dtype: str = ""
    shape: tuple[int, ...] | None = None
    max_abs: float | None = None
    max_rel: float | None = None
    error: float | None = None
    floor: float | None = None
    ratio: float | None = None
    floor_from: str = ""
    verdict: str = SAME
    differences: list[Difference] = field(default_factory=list)
    cause: str = ""
    note: str = ""

    def worsen(self, verdict: str, kind: str, text: str) -> None:
        """Add a finding, and take the worse of two verdicts."""
        self.verdict = worst((self.verdict, verdict))
        self.differences.append(Difference(kind, text))

    def say(self, note: str) -> None:
        """Add to the note."""
        self.note = f"{self.note}; {note}" if self.note else note

    def skip(self) -> None:
        """It is not comparable after all: nothing that was measured counts."""
        self.verdict, self.differences = SKIPPED, []
        self.max_abs = self.max_rel = self.error = self.floor = self.ratio = None

    @property
    def text(self) -> str:
        """Everything that was found, in one line."""
        parts = [difference.text for difference in self.differences] + [self.cause, self.note]
        return "; ".join(part for part in parts if part)


@dataclass
class Failure:
    """A side that did not come to its end.

    side:     "torch", or the target's title.
    stage:    what it was doing, in words.
    kind:     the exception's class; "timeout", "memory" or "died" for a process that ended.
    message:  one line.
    where:    file:line, "" when unknown.
    stderr:   the last lines that it wrote there.
    verdict:  differs where the converted code itself raised or crashed and torch's did not; else failed.
    mend:     what to do about it.
    """

    side: str
    stage: str
    kind: str
    message: str
    where: str = ""
    stderr: list[str] = field(default_factory=list)
    verdict: str = FAILED
    mend: str = ""

    @property
    def ended(self) -> bool:
        """Whether the process ended, or was ended."""
        return self.kind in ("timeout", "memory", "died")


@dataclass
class Culprit:
    """The first layer that diverges.

    layer:   its qualified name, "" for the model itself.
    type:    the torch class.
    where:   file:line in the converted project, relative to its folder.
    lines:   (number, text) of that place in the converted source.
    row:     name of the row that shows it.
    cause:   as in Row.
    """

    layer: str
    type: str = ""
    where: str = ""
    lines: list[tuple[int, str]] = field(default_factory=list)
    row: str = ""
    cause: str = ""


@dataclass
class Curve:
    """The loss after each step of training, by side; ``floor`` is the noise floor of each."""

    torch: list[float] = field(default_factory=list)
    target: list[float] = field(default_factory=list)
    floor: list[float] = field(default_factory=list)


@dataclass
class Level:
    """One level of an entry.

    skipped:  why nothing was compared; "" when something was.
    curve:    of the steps level.
    lines:    what else there is to tell, for readers.
    figures:  of sensitivity: layer -> relative error of the outputs where it alone is rounded.
    """

    name: str
    rows: list[Row] = field(default_factory=list)
    skipped: str = ""
    failure: Failure | None = None
    culprit: Culprit | None = None
    curve: Curve | None = None
    lines: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """The worst of its rows' and its failure's."""
        found = [row.verdict for row in self.rows]
        if self.skipped:
            found.append(SKIPPED)
        if self.failure is not None:
            found.append(self.failure.verdict)
        return worst(found)


@dataclass
class Weights:
    """The checkpoint that was used."""

    file: str
    sha256: str | None


@dataclass
class Entry:
    """All that was found of one entry.

    name:       its title in reports; entry is MODULE:CALLABLE(arguments).
    inputs:     specs, as they were given.
    weights:    None for seeded weights.
    reference:  "float64", or why torch has no double-precision run.
    seconds:    side ("torch", "target") -> stage -> seconds.
    failure:    why nothing of it could be run.
    """

    name: str
    entry: str
    inputs: list[str] = field(default_factory=list)
    weights: Weights | None = None
    seed: int = 0
    reference: str = "float64"
    kind: str = "module"
    levels: list[Level] = field(default_factory=list)
    seconds: dict[str, dict[str, float]] = field(default_factory=dict)
    failure: Failure | None = None

    @property
    def verdict(self) -> str:
        """The worst of its levels' and its failure's."""
        found = [level.verdict for level in self.levels]
        if self.failure is not None:
            found.append(self.failure.verdict)
        return worst(found)


@dataclass
class Side:
    """An interpreter of the check.

    name:  "torch", or the target as ``--to`` takes it; title: as people write it.
    """

    name: str
    title: str
    framework: str = ""
    python: str = ""
    numpy: str = ""
    executable: str = ""


@dataclass
class Folder:
    """One of the two projects; sha256 over names and bytes of its Python files."""

    path: str
    sha256: str


@dataclass
class Report:
    """The outcome of a check."""

    torch: Side
    target: Side
    source: Folder
    converted: Folder
    threads: int = 1
    rtol: float | None = None
    atol: float | None = None
    entries: list[Entry] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """parity, differs, or failed: the exit status is 0, 1, 2. ``skipped`` and ``warn`` are parity."""
        found = worst(entry.verdict for entry in self.entries)
        return found if found in (FAILED, DIFFERS) else "parity"


def to_dict(value: Any) -> Any:
    """A dataclass of this module as JSON values, each with its ``verdict`` beside its fields."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found = {item.name: to_dict(getattr(value, item.name)) for item in dataclasses.fields(value)}
        if isinstance(value, Report | Entry | Level):
            found["verdict"] = value.verdict
        return found
    if isinstance(value, Mapping):
        return {key: to_dict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_dict(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def from_dict(kind: type[T], data: Any) -> T:
    """The inverse of ``to_dict``."""
    names = {item.name for item in dataclasses.fields(kind)}  # type: ignore[arg-type]
    hints = typing.get_type_hints(kind)
    return kind(**{name: _read(hints[name], value) for name, value in data.items() if name in names})


def _read(hint: Any, value: Any) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        return None if value is None else _read(arguments[0], value)
    if origin is list:
        return [_read(arguments[0], item) for item in value]
    if origin is tuple:
        inner = [arguments[0]] * len(value) if arguments[-1] is ... else arguments
        return tuple(_read(kind, item) for kind, item in zip(inner, value, strict=True))
    if origin is dict:
        return {key: _read(arguments[1], item) for key, item in value.items()}
    if dataclasses.is_dataclass(hint):
        return from_dict(hint, value)  # type: ignore[arg-type]
    return float(value) if hint is float else value


def merged(reports: Iterable[Report]) -> Report:
    """One report of all entries; the sides and folders are the first's. Raises ValueError when there is none."""
    found = list(reports)
    if not found:
        raise ValueError("no report to merge")
    return dataclasses.replace(found[0], entries=[entry for report in found for entry in report.entries])
