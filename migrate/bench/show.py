"""A measurement as a table, as JSON, as a plot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import migrate
from migrate.bench.machine import sentence
from migrate.bench.session import Measured, Mode
from migrate.errors import Unusable


def show(measured: Measured, machine: dict[str, Any], title: str, console: Console) -> None:
    """The machine, then one row for each mode and batch."""
    console.print(escape(sentence(machine)), soft_wrap=True, highlight=False)
    for name, version in measured.versions.items():
        text = f"{'torch' if name == 'torch' else version['title']} {version['framework']} (Python {version['python']})"
        console.print(escape(text), soft_wrap=True, highlight=False)
    table = Table(title=escape(title), title_justify="left", box=SIMPLE, pad_edge=False)
    for column in ("", "batch", "ms a call (quartiles)", "samples/s", "first, s", "to torch eager (95 %)", ""):
        table.add_column(column, justify="right" if column else "left", no_wrap=not column)
    for index, mode in enumerate(measured.modes):
        if index and mode.batch != measured.modes[index - 1].batch:
            table.add_section()
        table.add_row(*cells(mode))
    console.print(table)
    for batch, noise in measured.noise.items():
        of = "" if batch is None else f" at batch {batch}"
        text = (
            f"noise{of}: torch eager against itself differs by up to {(noise - 1) * 100:.1f} %; less is no difference"
        )
        console.print(text, soft_wrap=True, highlight=False)
    for mode in measured.modes:
        if mode.to_own_eager is not None and mode.side != "torch":
            of = "" if mode.batch is None else f" at batch {mode.batch}"
            found = mode.to_own_eager
            text = f"{mode.title} to its own eager{of}: {found.median:.2f} ({found.low:.2f} .. {found.high:.2f})"
            console.print(escape(f"{text}, {mode.own_verdict}"), soft_wrap=True, highlight=False)
        if mode.why:
            of = "" if mode.batch is None else f", batch {mode.batch}"
            console.print(escape(f"{mode.title}{of} was not measured: {mode.why}"), soft_wrap=True, highlight=False)


def cells(mode: Mode) -> list[str]:
    """A row."""
    batch = "" if mode.batch is None else str(mode.batch)
    if mode.why or mode.ratio is None:
        return [mode.title, batch, "", "", "", "", "not measured"]
    low, middle, high = (1000 * value for value in mode.quartiles)
    return [
        mode.title,
        batch,
        f"{digits(middle)} ({digits(low)} .. {digits(high)})",
        f"{(mode.batch or 1) / mode.quartiles[1]:.1f}",
        f"{mode.first:.2f}",
        f"{mode.ratio.median:.2f} ({mode.ratio.low:.2f} .. {mode.ratio.high:.2f})",
        mode.verdict,
    ]


def digits(value: float) -> str:
    """Three digits that count, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def document(measured: Measured, machine: dict[str, Any], what: dict[str, Any]) -> str:
    """JSON: everything, also each sample."""
    rows = [
        {
            "side": mode.side,
            "mode": mode.name,
            "title": mode.title,
            "batch": mode.batch,
            "seconds": mode.samples,
            "calls": mode.calls,
            "first_call": mode.first,
            "median": mode.quartiles[1] if mode.samples else None,
            "quartiles": [mode.quartiles[0], mode.quartiles[2]] if mode.samples else None,
            "samples_per_second": (mode.batch or 1) / mode.quartiles[1] if mode.samples else None,
            "ratio": mode.ratio.median if mode.ratio else None,
            "ratio_interval": [mode.ratio.low, mode.ratio.high] if mode.ratio else None,
            "verdict": mode.verdict,
            "to_own_eager": [*vars(mode.to_own_eager).values()] if mode.to_own_eager else None,
            "not_measured": mode.why or None,
        }
        for mode in measured.modes
    ]
    noise = [{"batch": batch, "factor": factor} for batch, factor in measured.noise.items()]
    versions = {
        side: {key: found[key] for key in ("framework", "python", "numpy")} for side, found in measured.versions.items()
    }
    found = {"migrate": migrate.__version__, **what, "machine": machine, "versions": versions, "noise": noise}
    return json.dumps({**found, "modes": rows}, indent=1) + "\n"


def need_matplotlib() -> None:
    """Raises Unusable, before anything is measured, where there is none."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise Unusable("--plot needs matplotlib", "pip install 'torch-migrate[plot]', or leave --plot away") from error


def plot(measured: Measured, machine: dict[str, Any], title: str, path: Path) -> None:
    """Throughput by batch, one line of bars for each mode, with quartiles."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    titles = list(dict.fromkeys(mode.title for mode in measured.modes if mode.samples))
    batches = list(measured.noise)
    figure, axes = pyplot.subplots(figsize=(2.5 + 1.8 * len(batches), 4), layout="constrained")
    width = 0.8 / len(titles)
    for index, name in enumerate(titles):
        for place, batch in enumerate(batches):
            mode = next((m for m in measured.modes if m.title == name and m.batch == batch and m.samples), None)
            if mode is None:
                continue
            low, middle, high = ((batch or 1) / seconds for seconds in reversed(mode.quartiles))
            at = place + (index - (len(titles) - 1) / 2) * width
            label = name if place == 0 else None
            error = [[middle - low], [high - middle]]
            axes.bar(at, middle, width, yerr=error, label=label, color=f"C{index}", capsize=2)
    axes.set_xticks(range(len(batches)), ["" if batch is None else str(batch) for batch in batches])
    axes.set_xlabel("batch")
    axes.set_ylabel("samples per second" if batches != [None] else "calls per second")
    axes.set_title(f"{title}\n{sentence(machine)}", fontsize=8)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
