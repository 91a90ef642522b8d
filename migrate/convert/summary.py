"""What a conversion did, for the terminal and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields

from rich.console import Console
from rich.table import Table
from rich.text import Text

import migrate
from migrate.convert import left_alone
from rewriters.report import FileReport, Outcome, Risk, Site, Status

SOMETIMES = (Outcome.NOTED, Outcome.STATIC, Outcome.EAGER)
"""Outcomes that are told where there are some; the last two with --static."""

SHOWN = 20
NOTED = 3


def outcomes(counts: Counter[Outcome]) -> list[Outcome]:
    """Those of a report."""
    return [*(outcome for outcome in Outcome if outcome not in SOMETIMES), *filter(counts.__getitem__, SOMETIMES)]


def totals(reports: Sequence[FileReport]) -> Counter[Outcome]:
    """Sites by outcome over all files."""
    found: Counter[Outcome] = Counter()
    for report in reports:
        found += report.counts()
    return found


def is_marked(reports: Sequence[FileReport]) -> bool:
    """Whether something is left to do by hand: a site that is marked or differs, or a file that was not converted."""
    counts = totals(reports)
    return has_failed(reports) or bool(counts[Outcome.MARKED] + counts[Outcome.DIFFERS])


def has_failed(reports: Sequence[FileReport]) -> bool:
    """Whether a file was not converted."""
    return any(report.status == Status.FAILED for report in reports)


def to_json(reports: Sequence[FileReport], target: str) -> str:
    """The whole report: counts, what would decide the unknown ones, then site by site."""
    counts = totals(reports)
    names = [one.name for one in fields(Site)]
    document = {
        "migrate": migrate.__version__,
        "target": target,
        "sites": {outcome: counts[outcome] for outcome in outcomes(counts)},
        "unknown": [one.document() for one in left_alone.questions(reports)],
        "files": [
            {**vars(report), "sites": [dict(zip(names, site.values(), strict=False)) for site in report.sites]}
            for report in reports
        ],
    }
    return json.dumps(document, indent=1) + "\n"


def print_summary(reports: Sequence[FileReport], console: Console) -> None:
    """Counts, every failed file, marked site (where they are many, the first), and what would decide unknown ones."""
    counts = totals(reports)
    files = Counter(report.status for report in reports)
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right")
    table.add_column()
    meanings = {
        Outcome.SAME: "need no change",
        Outcome.INLINED: "rewritten in place",
        Outcome.HELPER: "call the helper module",
        Outcome.MARKED: "marked: no equivalent, raise when reached",
        Outcome.DIFFERS: "converted, and not as in torch: a comment says why",
        Outcome.NOTED: "converted, and a little different, as docs/ say: no comment marks it",
        Outcome.UNKNOWN: "left as they stand: not known whether the receiver is a tensor",
        Outcome.STATIC: "in static graphs now: training steps, models that are called",
        Outcome.EAGER: "stay eager: no static graph holds them",
    }
    told = ", ".join(f"{files[status]} {status}" for status in Status)
    table.add_row(str(sum(files.values())), f"files: {told}")
    alike = sum(site.risk == Risk.SAME for _, site in left_alone.left_alone(reports))
    for outcome in outcomes(counts):
        rows = [(counts[outcome] - (alike if outcome == Outcome.UNKNOWN else 0), meanings[outcome])]
        if outcome == Outcome.UNKNOWN:
            rows.insert(0, (alike, "left as they stand: tried, and the same whether this is a tensor or not"))
        for count, meaning in rows:
            what = "sites" if outcome in (Outcome.STATIC, Outcome.EAGER) else "uses of torch"
            if count:
                table.add_row(str(count), f"{what} {meaning}")
    console.print(table)
    for report in reports:
        if report.status == Status.FAILED:
            console.print(Text(f"failed   {report.error}", style="red"))
    show(reports, Outcome.MARKED, "yellow", console)
    show(reports, Outcome.DIFFERS, "yellow", console)
    show(reports, Outcome.NOTED, "cyan", console, most=NOTED)
    for line in left_alone.lines(reports, SHOWN):
        console.print(Text(line, style="yellow" if line.startswith("silent") else "cyan"))
    show(reports, Outcome.EAGER, "yellow", console)


def show(reports: Sequence[FileReport], outcome: Outcome, style: str, console: Console, most: int = SHOWN) -> None:
    rows: list[tuple[FileReport, Site]] = [(r, site) for r in reports for site in r.sites if site.outcome == outcome]
    by_api = Counter(site.api for _, site in rows)
    lines = list(dict.fromkeys(f"{outcome:8} {r.path}:{site.line}: {site.api}: {site.detail}" for r, site in rows))
    if len(lines) > most:
        names = ", ".join(f"{api} {count}" for api, count in by_api.most_common(12))
        console.print(Text(f"{outcome}: {names}", style=style))
    for line in lines[:most]:
        console.print(Text(line, style=style))
    if len(lines) > most:
        console.print(Text(f"{outcome:8} and {len(lines) - most} more; --report FILE lists them all", style=style))
