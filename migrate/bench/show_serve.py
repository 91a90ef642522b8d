"""A measurement of a server as a table, and as JSON."""

from __future__ import annotations

import json
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import migrate
from migrate.bench.machine import sentence
from migrate.bench.serve import PERCENTILES, Level, Served
from migrate.bench.show import digits
from migrate.bench.statistics import quartiles


def show(found: Served, machine: dict[str, Any], console: Console) -> None:
    """The machine, then one row for each batch and number of clients."""
    told = found.serving
    batches = f"batches of {told['batch']} at most" if told["batch"] else f"no batches: {told['why']}"
    for line in (
        sentence(machine, told["threads"]),
        f"{found.model} at {told['url']}: {found.server}, {told['backend']} back end ({told['engine']}); "
        f"{told['instances']} instance{'s' * (told['instances'] != 1)}, {batches}, waiting {told['delay']} us; "
        "the clients run on the same machine",
    ):
        console.print(escape(line), soft_wrap=True, highlight=False)
    table = Table(box=SIMPLE, pad_edge=False)
    named = [f"p{percent}, ms" for percent in PERCENTILES]
    for column in ("clients", "rows", *named, "rows/s (quartiles)", "rows a run", "to the first (95 %)", ""):
        table.add_column(column, justify="right" if column else "left")
    for index, level in enumerate(found.levels):
        if index and level.batch != found.levels[index - 1].batch:
            table.add_section()
        table.add_row(*cells(level))
    console.print(table)
    console.print(
        f"noise: the first row against itself differs by up to {(found.noise - 1) * 100:.1f} %; less is no difference. "
        "rows a run: how many the server put together; - : too few requests to tell",
        soft_wrap=True,
        highlight=False,
    )


def cells(level: Level) -> list[str]:
    """A row."""
    assert level.ratio is not None
    low, middle, high = quartiles(level.samples)
    times = [level.percentile(percent) for percent in PERCENTILES]
    return [
        str(level.clients),
        "" if level.batch is None else str(level.batch),
        *("-" if time is None else digits(1000 * time) for time in times),
        f"{digits(middle)} ({digits(low)} .. {digits(high)})",
        f"{level.rows / level.runs:.2f}" if level.rows and level.runs else "",
        f"{level.ratio.median:.2f} ({level.ratio.low:.2f} .. {level.ratio.high:.2f})",
        level.verdict,
    ]


def document(found: Served, machine: dict[str, Any]) -> str:
    """JSON: everything, also each request's seconds."""
    rows = [
        {
            "clients": level.clients,
            "batch": level.batch,
            "requests": len(level.all_latencies),
            "latency": {f"p{percent}": level.percentile(percent) for percent in PERCENTILES},
            "rows_per_second": quartiles(level.samples)[1],
            "quartiles": [quartiles(level.samples)[0], quartiles(level.samples)[2]],
            "rows_per_run": level.rows / level.runs if level.rows and level.runs else None,
            "ratio": [*vars(level.ratio).values()] if level.ratio else None,
            "verdict": level.verdict,
            "rates": level.rates,
            "seconds": level.latencies,
        }
        for level in found.levels
    ]
    head = {
        "migrate": migrate.__version__, "model": found.model, "server": found.server, "serving": found.serving,
        "machine": machine, "noise": found.noise,
    }  # fmt: skip
    return json.dumps({**head, "levels": rows}, indent=1) + "\n"
