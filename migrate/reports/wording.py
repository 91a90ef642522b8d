"""How a parity report is put into words: verdicts, figures, the line that sums it up."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Sequence

from checks.parity import floor
from checks.parity.report import DIFFERS, FAILED, SAME, SKIPPED, WARNED, Culprit, Entry, Failure, Level, Report, Row

STYLES = {
    "parity": "green",
    SAME: "green",
    SKIPPED: "dim",
    WARNED: "yellow",
    FAILED: "bold magenta",
    DIFFERS: "bold red",
}


SHORT = 100
"""Characters of a message where the whole of it stands elsewhere."""

RELATED = 3
"""Rows of one cause that are told in one line."""


def summary(report: Report) -> str:
    """The one line that a reviewer reads."""
    rows = [row for entry in report.entries for level in entry.levels for row in level.rows]
    if report.verdict == DIFFERS:
        entry, found = _first(report, DIFFERS)
        count = sum(row.verdict == DIFFERS for row in rows)
        prefix = f"{entry.name}: " if len(report.entries) > 1 else ""
        counts = f"{count} of {counted(len(rows), 'comparison')}, first " if count else ""
        return f"differs: {counts}{prefix}{found}"
    if report.verdict == FAILED:
        entry, found = _first(report, FAILED)
        return f"failed: {entry.name}: {found}"
    agree = [row for row in rows if row.verdict != SKIPPED]
    words = f"parity: {counted(len(agree), 'comparison')} {'agrees' if len(agree) == 1 else 'agree'} with torch"
    measured = [row for row in agree if row.ratio is not None]
    if measured:
        worst = max(measured, key=lambda row: row.ratio or 0.0)
        warn, fail = floor.limits(worst.floor_from)
        words += f"; the worst, {title(worst)}, stands at {figure(worst.ratio)} times {floor.unit(worst.floor_from)}"
        words += f" (warn {warn:g}, fail {fail:g})"
        words += f": {worst.note}" if (worst.ratio or 0.0) > fail and worst.note else ""
    for verdict, said in ((WARNED, "with a warning"), (SKIPPED, "not comparable")):
        count = sum(row.verdict == verdict for row in rows)
        words += f"; {count} {said}" if count else ""
    without = dict.fromkeys(level.name for entry in report.entries for level in entry.levels if level.skipped)
    return f"{words}; not compared in full: {', '.join(without)}" if without else words


def _first(report: Report, verdict: str) -> tuple[Entry, str]:
    entry = next(entry for entry in report.entries if entry.verdict == verdict)
    for level in entry.levels:
        for row in level.rows:
            if row.verdict == verdict:
                return entry, f"{level.name}: {title(row)}: {row.text}"
        if level.failure is not None and level.failure.verdict == verdict:
            return entry, f"{level.name}: {short(level.failure)}"
    return entry, short(entry.failure) if entry.failure else entry.name


def first_failure(report: Report) -> Failure:
    """Of a report whose verdict is failed."""
    failures = [
        found for entry in report.entries for found in (entry.failure, *(level.failure for level in entry.levels))
    ]
    return next(found for found in failures if found is not None and found.verdict == FAILED)


def first_culprit(entry: Entry) -> tuple[Level, Culprit] | None:
    """Of the first level that names one: what later levels name follows from it."""
    return next(((level, level.culprit) for level in entry.levels if level.culprit is not None), None)


def title(row: Row) -> str:
    """A row's name, and what tells it from others of that name."""
    name = row.name or "(the model)"
    name = f"{name}, alone" if row.kind == "alone" else name
    return name if row.step is None else f"{name}, step {row.step}"


def failure(found: Failure) -> str:
    """In one line."""
    at = f" at {found.where}" if found.where else ""
    if found.ended:  # the message says how
        return f"{found.side} {found.message} ({found.stage}){at}"
    kind = f"{found.kind}: " if found.kind and found.kind not in found.message else ""
    return f"{found.side} ({found.stage}){at}: {kind}{found.message}"


def short(found: Failure) -> str:
    """In a few words, where the whole of it stands elsewhere."""
    if found.ended:
        return f"{found.side} {found.message}"
    return f"{found.side}: {found.kind}" if found.kind else textwrap.shorten(found.message, SHORT, placeholder=" ...")


def failures(entry: Entry) -> list[tuple[str, Failure]]:
    """Each once, with the names of the levels that it ended; "" for the whole entry."""
    found: dict[tuple[str, ...], tuple[list[str], Failure]] = {}
    for name, one in [("", entry.failure), *((level.name, level.failure) for level in entry.levels)]:
        if one is not None:
            found.setdefault((one.side, one.kind, one.message, one.where), ([], one))[0].append(name)
    return [(", ".join(filter(None, names)), one) for names, one in found.values()]


def related(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Rows to be shown one by one, and a line for each group of at least RELATED that share one cause."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.cause and row.verdict != DIFFERS:
            groups.setdefault((row.verdict, row.cause), []).append(row)
    lines: list[str] = []
    told: set[int] = set()
    for (verdict, cause), members in groups.items():
        if len(members) >= RELATED:
            told |= {id(row) for row in members}
            counts = Counter(row.name.rpartition(".")[2] for row in members)
            names = ", ".join(f"{count} {name}" for name, count in counts.most_common())
            notes = Counter(part for row in members for part in dict.fromkeys(row.note.split("; ")))
            shared = [part for part, count in notes.items() if part and 2 * count > len(members)]
            lines.append(f"{verdict}: {names}: {'; '.join([cause, *shared])}")
    return [row for row in rows if id(row) not in told], lines


def notes(rows: Sequence[Row]) -> list[str]:
    """What the cells of the rows do not say, each text once, with the rows that it is said of."""
    said: dict[str, list[str]] = {}
    for row in rows:
        if row.cause or row.note or any(found.kind != "values" for found in row.differences):
            said.setdefault(row.text, []).append(title(row))
    more = {text: f" and {len(titles) - 1} more" if len(titles) > 1 else "" for text, titles in said.items()}
    return [f"{titles[0]}{more[text]}: {text}" for text, titles in said.items()]


def figure(value: float | None) -> str:
    """Three digits; an integer comparison has none."""
    if value is None:
        return ""
    return "infinitely many" if math.isinf(value) else f"{value:.3g}"


def ratio(row: Row) -> str:
    """error / floor as a cell."""
    if row.ratio is not None:
        return "inf" if math.isinf(row.ratio) else f"{row.ratio:.3g}"
    return "exact" if row.verdict == SAME and row.max_abs is not None and row.max_rel is None else ""


def small(value: float | None) -> str:
    return "" if value is None else f"{value:.2e}"


def shape(row: Row) -> str:
    return "" if row.shape is None else "x".join(map(str, row.shape)) or "scalar"


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def worst_row(level: Level) -> Row | None:
    """That with the highest ratio among the ones that differ, else among all."""
    rows = [row for row in level.rows if row.verdict == DIFFERS]
    rows = rows or [row for row in level.rows if row.verdict != SKIPPED]
    return max(rows, key=lambda row: -1.0 if row.ratio is None else row.ratio, default=None)


def outcome(level: Level) -> str:
    """A level in a few words: what was compared, or why nothing was."""
    compared = [row for row in level.rows if row.verdict != SKIPPED]
    differing = sum(row.verdict == DIFFERS for row in compared)
    said = f"{differing} of {len(compared)} differ" if differing else counted(len(compared), "comparison")
    if level.skipped:
        return f"{said}; {level.skipped}" if compared else level.skipped
    if level.lines and not level.rows:
        return level.lines[0].partition(";")[0]
    if level.failure is not None:
        return f"{short(level.failure)}; {said}" if compared else short(level.failure)
    return said
