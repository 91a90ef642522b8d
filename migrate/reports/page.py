"""A parity report as one HTML page that needs nothing else: for a reviewer, and to keep."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import migrate
from checks.parity import floor
from checks.parity.report import DIFFERS, Entry, Level, Report, Row
from migrate.reports import wording
from migrate.reports.plots import error_plot, loss_plot

HERE = Path(__file__).parent
AROUND = 3  # lines shown before and after the line of a layer
WORST = 5  # layers whose lines are shown


def to_html(report: Report, made: str) -> str:
    """made: when the check ended, ISO 8601. Converted lines are read from ``report.converted``."""
    import jinja2  # only for this report
    from markupsafe import Markup

    loader = jinja2.FileSystemLoader(HERE)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.globals.update(
        wording=wording,
        limits={"warn": floor.WARN, "fail": floor.FAIL},
        plot=lambda level: Markup(level_plot(level)),
        curve=lambda level: Markup(loss_plot(level.curve) if level.curve else ""),
        worst=lambda entry: worst_layers(entry, Path(report.converted.path)),
        style=Markup((HERE / "page.css").read_text(encoding="utf-8")),
    )
    return environment.get_template("page.html").render(
        report=report,
        made=made,
        version=migrate.__version__,
        command=shlex.join(["migrate", *sys.argv[1:]]),
    )


def level_plot(level: Level) -> str:
    """Of the levels that have many tensors: outputs are few, and stand in their table."""
    rows = level.rows if level.name != "outputs" else []
    when = ""
    if level.name == "steps":
        rows = [
            row for row in rows if row.kind in ("parameter", "buffer") and row.name not in ("parameters", "buffers")
        ]
        when = " after the last step"
    return error_plot(rows, level.name.removesuffix("s"), when) if len(rows) > 1 else ""


def worst_layers(entry: Entry, converted: Path) -> list[tuple[Row, list[tuple[int, str]]]]:
    """Rows that differ, the first to diverge and then those with the highest ratios, each with its converted lines."""
    rows = [row for level in entry.levels for row in level.rows if row.verdict == DIFFERS and row.where]
    rows = rows[:1] + sorted(rows[1:], key=lambda row: -(row.ratio or 0.0))
    found: dict[str, tuple[Row, list[tuple[int, str]]]] = {}
    for row in rows:
        if row.where not in found and len(found) < WORST and (lines := lines_at(converted, row.where)):
            found[row.where] = (row, lines)
    return list(found.values())


def lines_at(folder: Path, where: str) -> list[tuple[int, str]]:
    """(number, text) around a file:line; empty when the file is not there any more."""
    name, _, number = where.rpartition(":")
    path = folder / name
    if not number.isdigit() or not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    first = max(int(number) - AROUND, 1)
    return [(first + i, text) for i, text in enumerate(lines[first - 1 : int(number) + AROUND])]
