"""A parity report for the terminal: per entry its levels, then the rows that matter and the first layer to diverge."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from checks.parity.report import SAME, SKIPPED, Culprit, Entry, Failure, Level, Report, Row
from migrate.reports import wording

SHOWN = 12  # rows of a level beyond its outputs; the file formats have all of them


def show(report: Report, console: Console) -> None:
    """Header, one group per entry, and the summary as the last line."""
    torch, target = report.torch, report.target
    _print(console, f"torch {torch.framework} (Python {torch.python}): {report.source.path}")
    _print(console, f"{target.title} {target.framework} (Python {target.python}): {report.converted.path}")
    for entry in report.entries:
        _entry(entry, console)
    console.print()
    _print(console, f"[{wording.STYLES[report.verdict]}]{escape(wording.summary(report))}[/]", markup=True)


def _entry(entry: Entry, console: Console) -> None:
    console.print()
    console.rule(escape(entry.name), align="left")
    weights = f"{entry.weights.file} (sha256 {(entry.weights.sha256 or '')[:12]})" if entry.weights else "seeded"
    parts = [entry.entry, f"weights: {weights}", f"inputs: {', '.join(entry.inputs) or 'none'}"]
    parts += [f"seed: {entry.seed}", f"reference: {entry.reference}"]
    _print(console, "   ".join(parts))
    if entry.levels:
        console.print(_levels(entry.levels))
    for level in entry.levels:
        _level(level, console)
    for names, failure in wording.failures(entry):
        _failure(names, failure, console)
    found = wording.first_culprit(entry)
    if found is not None:
        _culprit(found[1], console)


def _level(level: Level, console: Console) -> None:
    hidden = (SKIPPED,) if level.skipped else ()  # its line in the table says why
    hidden = hidden if level.name == "outputs" else (SAME, *hidden)
    rows = [row for row in level.rows if row.verdict not in hidden]
    rows, lines = wording.related(rows)
    if rows:
        console.print(_rows(level, rows[:SHOWN]))
    if len(rows) > SHOWN:
        _print(console, f"and {len(rows) - SHOWN} more: --json, --html or --junit FILE has all")
    for line in wording.notes(rows[:SHOWN]):
        _print(console, line)
    for line in [*lines, *level.lines]:
        _print(console, f"{level.name}: {line}")


def _levels(levels: list[Level]) -> Table:
    table = Table()
    for column in ("level", "compared", "worst", "error / floor", "verdict"):
        table.add_column(column, justify="right" if column == "error / floor" else "left")
    for level in levels:
        worst = wording.worst_row(level)
        cells = [level.name, wording.outcome(level), wording.title(worst) if worst else ""]
        cells.append(wording.ratio(worst) if worst else "")
        table.add_row(*map(escape, cells), _verdict(level.verdict))
    return table


def _rows(level: Level, rows: list[Row]) -> Table:
    table = Table(title=level.name, title_justify="left")
    for column in (level.name.removesuffix("s"), "shape", "dtype"):
        table.add_column(column)
    for column in ("max abs", "max rel", "error / floor"):
        table.add_column(column, justify="right")
    table.add_column("verdict")
    for row in rows:
        figures = [wording.small(row.max_abs), wording.small(row.max_rel), wording.ratio(row)]
        cells = [wording.title(row), wording.shape(row), row.dtype, *figures]
        table.add_row(*map(escape, cells), _verdict(row.verdict))
    return table


def _verdict(verdict: str) -> str:
    return f"[{wording.STYLES[verdict]}]{verdict}[/]"


def _culprit(culprit: Culprit, console: Console) -> None:
    kind = f" ({culprit.type})" if culprit.type else ""
    at = f" at {culprit.where}" if culprit.where else ""
    _print(console, f"[bold]first to diverge:[/] {escape((culprit.layer or 'the model') + kind + at)}", markup=True)
    for number, text in culprit.lines:
        _print(console, f"    {number:>5} | {text}")
    if culprit.cause:
        _print(console, f"    probable cause: {culprit.cause}")


def _failure(levels: str, failure: Failure, console: Console) -> None:
    said = f"{levels}: {wording.failure(failure)}" if levels else wording.failure(failure)
    _print(console, f"[{wording.STYLES[failure.verdict]}]{escape(said)}[/]", markup=True)
    for line in failure.stderr:
        _print(console, f"    {line}")
    if failure.mend:
        _print(console, f"  mend: {failure.mend}")


def _print(console: Console, text: str, markup: bool = False) -> None:
    """One line, never wrapped: paths and messages are to be copied."""
    console.print(text, markup=markup, highlight=False, soft_wrap=True)
