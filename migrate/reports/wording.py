"""How a parity report is put into words: verdicts, figures, the line that sums it up."""

from __future__ import annotations

import math

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
    words = f"parity: {counted(len(rows), 'comparison')} {'agrees' if len(rows) == 1 else 'agree'} with torch"
    measured = [row for row in rows if row.ratio is not None]
    if measured:
        worst = max(measured, key=lambda row: row.ratio or 0.0)
        limits = f"warn {floor.WARN:g}, fail {floor.FAIL:g}"
        words += f"; the worst, {title(worst)}, stands at {figure(worst.ratio)} times the noise floor ({limits})"
    for verdict, said in ((WARNED, "with a warning"), (SKIPPED, "not comparable")):
        count = sum(row.verdict == verdict for row in rows)
        words += f"; {count} {said}" if count else ""
    return words


def _first(report: Report, verdict: str) -> tuple[Entry, str]:
    entry = next(entry for entry in report.entries if entry.verdict == verdict)
    for level in entry.levels:
        for row in level.rows:
            if row.verdict == verdict:
                return entry, f"{level.name}: {title(row)}: {row.text}"
        if level.failure is not None and level.failure.verdict == verdict:
            return entry, f"{level.name}: {failure(level.failure)}"
    return entry, failure(entry.failure) if entry.failure else entry.name


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
    if found.kind in ("timeout", "died", "memory"):  # the message says how the process ended
        return f"{found.side} {found.message} ({found.stage})"
    kind = f"{found.kind}: " if found.kind and found.kind not in found.message else ""
    at = f" at {found.where}" if found.where else ""
    return f"{found.side} ({found.stage}){at}: {kind}{found.message}"


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
    rows = [row for row in level.rows if row.verdict == DIFFERS] or level.rows
    return max(rows, key=lambda row: -1.0 if row.ratio is None else row.ratio, default=None)


def outcome(level: Level) -> str:
    """A level in a few words: what was compared, or why nothing was."""
    if level.skipped:
        return level.skipped
    if level.failure is not None and not level.rows:
        return failure(level.failure)
    differing = sum(row.verdict == DIFFERS for row in level.rows)
    if differing:
        return f"{differing} of {len(level.rows)} differ"
    return counted(len(level.rows), "comparison")
