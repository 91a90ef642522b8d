"""The table of a product: on the screen, as JSON, as a page with a plot."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from html import escape as html
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import migrate
from migrate.bench.machine import sentence
from migrate.bench.product import Product, Row
from migrate.bench.show import digits
from migrate.bench.statistics import Interval, quartiles

COLUMNS = ("", "", "rows/s (quartiles)", "by itself (95 %)", "", "to torch eager (95 %)", "")
BAR, GAP, WIDTH, LEFT = 16, 10, 900, 330


def show(found: Product, machine: dict[str, Any], console: Console) -> None:
    """The machine, then one row for each way."""
    console.print(escape(sentence(machine)), soft_wrap=True, highlight=False)
    console.print(escape(versions(found)), soft_wrap=True, highlight=False)
    title = f"{found.entry}, inference, {', '.join(found.specs)}"
    table = Table(title=escape(title), title_justify="left", box=SIMPLE, pad_edge=False)
    for column in COLUMNS:
        table.add_column(column, justify="right" if column else "left")
    for index, row in enumerate(found.rows):
        if index and row.factor != found.rows[index - 1].factor:
            table.add_section()
        table.add_row(*map(escape, cells(row)))
    console.print(table)
    for line in remarks(found):
        console.print(escape(line), soft_wrap=True, highlight=False)


def cells(row: Row) -> list[str]:
    """A row of the table."""
    rate = ""
    if row.samples:
        low, middle, high = quartiles(row.samples)
        rate = f"{digits(middle)} ({digits(low)} .. {digits(high)})"
    return [
        row.factor,
        row.title,
        rate,
        told(row.alone),
        beside(row),
        told(row.together),
        row.verdict or ("see below" if row.alone is None else ""),
    ]


def beside(row: Row) -> str:
    """``1.3x faster than torch eager``, ``within noise of torch eager``."""
    if row.alone is None:
        return ""
    return f"{row.alone_verdict} {'of' if row.alone_verdict == 'within noise' else 'than'} {row.beside}"


def told(ratio: Interval | None) -> str:
    """``1.25 (1.20 .. 1.31)``."""
    return f"{ratio.median:.2f} ({ratio.low:.2f} .. {ratio.high:.2f})" if ratio else ""


def versions(found: Product) -> str:
    """One line."""
    return "; ".join(f"{name} {version}" for name, version in found.versions.items())


def remarks(found: Product) -> list[str]:
    """What the table does not say."""
    lines = [f"{row.factor}: {row.title}: {row.why}" for row in found.rows if row.why]
    noise = ", ".join(f"{step} {(factor - 1) * 100:.1f} %" for step, factor in found.noise.items())
    lines.append(f"noise, by which torch eager differs from itself: {noise}; less is no difference")
    last = found.chosen[-1]
    assert last.together is not None
    lines.append(f"together: {last.title}, {told(last.together)} times torch eager's rows a second: {last.verdict}")
    return lines


def document(found: Product, machine: dict[str, Any]) -> str:
    """JSON: everything, also each sample."""
    rows = [
        {
            "factor": row.factor, "title": row.title, "rows_per_second": row.samples, "beside": row.beside or None,
            "alone": listed(row.alone), "alone_verdict": row.alone_verdict or None, "together": listed(row.together),
            "verdict": row.verdict or None, "why": row.why or None, "chosen": row in found.chosen,
        }
        for row in found.rows
    ]  # fmt: skip
    head = {
        "migrate": migrate.__version__, "entry": found.entry, "inputs": found.specs, "machine": machine,
        "versions": found.versions, "noise": found.noise,
    }  # fmt: skip
    return json.dumps({**head, "rows": rows}, indent=1) + "\n"


def listed(ratio: Interval | None) -> list[float] | None:
    return [ratio.median, ratio.low, ratio.high] if ratio else None


def page(found: Product, machine: dict[str, Any]) -> str:
    """One HTML file, which loads nothing."""
    from migrate.reports.web import render

    return render(
        "product.html",
        ("base.css", "product.css"),
        (),
        title=found.entry,
        inputs=found.specs,
        columns=COLUMNS,
        rows=[(cells(row), row in found.chosen) for row in found.rows],
        remarks=remarks(found),
        machine=[sentence(machine), versions(found)],
        plot=safe(plot(found)),
        made=datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        version=migrate.__version__,
    )


def safe(svg: str) -> Any:
    from markupsafe import Markup

    return Markup(svg)


def plot(found: Product) -> str:
    """Bars of the speed to torch eager's, with their intervals; a line at 1."""
    from migrate.reports.svg import element

    rows = [row for row in found.rows if row.together is not None]
    most = max(row.together.high for row in rows if row.together is not None)
    height = len(rows) * (BAR + GAP) + GAP + 20

    def place(value: float) -> float:
        return LEFT + value / most * (WIDTH - LEFT - 70)

    parts = []
    for index, row in enumerate(rows):
        assert row.together is not None
        top, ratio = GAP + index * (BAR + GAP), row.together
        middle = top + BAR / 2
        kind = "chosen" if row in found.chosen else "bar"
        parts.append(element("text", html(row.title), x=LEFT - 8, y=f"{middle + 4:.1f}", text_anchor="end"))
        parts.append(element("rect", x=LEFT, y=top, width=f"{place(ratio.median) - LEFT:.1f}", height=BAR, class_=kind))
        span: dict[str, Any] = {
            "x1": f"{place(ratio.low):.1f}",
            "x2": f"{place(ratio.high):.1f}",
            "y1": middle,
            "y2": middle,
        }
        parts.append(element("line", class_="spread", **span))
        parts.append(element("text", f"{ratio.median:.2f}", x=f"{place(ratio.high) + 6:.1f}", y=f"{middle + 4:.1f}"))
    one = f"{place(1.0):.1f}"
    parts.append(element("line", x1=one, x2=one, y1=0, y2=height - 20, class_="one"))
    parts.append(element("text", "torch eager = 1", x=one, y=height - 6, text_anchor="middle"))
    inner = "<title>Rows a second, torch eager being 1</title>" + "".join(parts)
    return element("svg", inner, viewBox=f"0 0 {WIDTH} {height}", role="img", xmlns="http://www.w3.org/2000/svg")


def write(found: Product, machine: dict[str, Any], json_file: Path | None, html_file: Path | None) -> None:
    """The files that were asked for."""
    if json_file is not None:
        json_file.write_text(document(found, machine), encoding="utf-8")
    if html_file is not None:
        html_file.write_text(page(found, machine), encoding="utf-8")
