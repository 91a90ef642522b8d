"""A parity report as a table for the terminal and as JSON to keep."""

from __future__ import annotations

import json
import math
import os
import platform
import stat
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

import migrate
from checks import floor
from checks.compare import DIFFERS, SAME, WARNED, Row
from migrate.errors import Unusable
from migrate.parity import THREADS, Report

SCHEMA = 1
STYLES = {SAME: "green", WARNED: "yellow", DIFFERS: "bold red"}


def to_json(report: Report) -> str:
    """The report with all that is needed to run it again; ratios that are infinite are the string "inf"."""
    request = report.request
    document = {
        "schema": SCHEMA,
        "migrate": migrate.__version__,
        "verdict": report.verdict,
        "summary": summary(report),
        "made": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": sys.argv,
        "platform": platform.platform(),
        "source": {"folder": str(request.source), "sha256": report.sources["source"]},
        "converted": {"folder": str(request.converted), "sha256": report.sources["converted"]},
        "entry": request.entry,
        "inputs": list(request.inputs),
        "weights": None if request.weights is None else {"file": str(request.weights), "sha256": report.weights},
        "seed": request.seed,
        "threads": THREADS,
        "torch": report.torch,
        "target": {"name": request.target.name, **report.target},
        "reference": report.reference,
        "limits": {
            "warn": floor.WARN,
            "fail": floor.FAIL,
            "rtol": request.tolerance.rtol if request.tolerance else None,
            "atol": request.tolerance.atol if request.tolerance else None,
        },
        "rows": [{key: _plain(value) for key, value in vars(row).items()} for row in report.rows],
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def check_output(path: Path) -> None:
    """Raises Unusable when ``write_json`` could not write there."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise Unusable(f"{path} is not a regular file", "give --json the name of a file")
    if not path.parent.is_dir():
        raise Unusable(f"{path.parent} is not a folder", f"mkdir -p {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise Unusable(f"{path.parent} is not writable", "give --json a file elsewhere")


def write_json(report: Report, path: Path) -> None:
    """Written aside and renamed, so that a reader never sees half of it."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False) as file:
        file.write(to_json(report))
        aside = Path(file.name)
    aside.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
    aside.replace(path)


def summary(report: Report) -> str:
    """The one line that a reviewer reads."""
    rows = report.rows
    differing = [row for row in rows if row.verdict == DIFFERS]
    if differing:
        first = differing[0]
        return f"differs: {len(differing)} of {_outputs(len(rows))}, first {first.output}: {first.note}"
    measured = [row for row in rows if row.ratio is not None]
    words = f"parity: {_outputs(len(rows))} {'agrees' if len(rows) == 1 else 'agree'} with torch"
    if measured:
        worst = max(measured, key=lambda row: row.ratio or 0.0)
        noise = f"the worst, {worst.output}," if len(measured) > 1 else worst.output
        words += (
            f"; {noise} stands at {worst.ratio:.3g} times the noise floor (warn {floor.WARN:g}, fail {floor.FAIL:g})"
        )
    warned = sum(1 for row in rows if row.verdict == WARNED)
    return f"{words}; {warned} with a warning" if warned else words


def _outputs(count: int) -> str:
    return "1 output" if count == 1 else f"{count} outputs"


def show(report: Report, console: Console) -> None:
    """Header, table, notes, and the summary."""
    request, torch, target = report.request, report.torch, report.target
    console.print(
        f"{escape(request.entry)}: torch {torch['framework']} (Python {torch['python']}) against "
        f"{request.target.title} {target['framework']} (Python {target['python']})",
        highlight=False,
        soft_wrap=True,
    )
    weights = (
        f"{request.weights} (sha256 {(report.weights or '')[:12]})" if request.weights else "seeded, constants moved"
    )
    inputs = ", ".join(request.inputs) or "none"
    console.print(
        escape(f"weights: {weights}   inputs: {inputs}   seed: {request.seed}   reference: {report.reference}"),
        highlight=False,
        soft_wrap=True,
    )
    table = Table()
    for column in ("output", "shape", "dtype"):
        table.add_column(column)
    for column in ("max abs", "max rel", "error / floor"):
        table.add_column(column, justify="right")
    table.add_column("verdict")
    for row in report.rows:
        table.add_row(*_cells(row))
    console.print(table)
    for row in report.rows:
        if row.note:
            console.print(escape(f"{row.output}: {row.note}"), highlight=False, soft_wrap=True)
    style = STYLES[DIFFERS if report.verdict == "differs" else SAME]
    console.print(f"[{style}]{escape(summary(report))}[/]", highlight=False, soft_wrap=True)


def _cells(row: Row) -> list[str]:
    shape = "" if row.shape is None else "x".join(map(str, row.shape)) or "scalar"
    exact = row.max_abs is not None and row.max_rel is None
    ratio = "exact" if exact and row.verdict == SAME else "" if row.ratio is None else f"{row.ratio:.3g}"
    figures = ["" if value is None else f"{value:.2e}" for value in (row.max_abs, row.max_rel)]
    return [escape(row.output), shape, row.dtype, *figures, ratio, f"[{STYLES[row.verdict]}]{row.verdict}[/]"]
