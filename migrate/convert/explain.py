"""``--explain FILE:LINE``: which rule rewrote what on a line, and how, or why not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from migrate.errors import Unusable
from rewriters.report import FileReport, Outcome, Status

MEANINGS = {
    Outcome.SAME: "is the same in the target",
    Outcome.INLINED: "rewritten in place by",
    Outcome.HELPER: "calls the helper module:",
    Outcome.MARKED: "marked:",
    Outcome.DIFFERS: "not as in torch:",
    Outcome.NOTED: "a little different:",
    Outcome.UNKNOWN: "left as it stands:",
    Outcome.STATIC: "is in a graph now:",
    Outcome.EAGER: "is not in a graph:",
}


def parse_place(text: str) -> tuple[str, int]:
    """``models/x.py:12`` -> its parts. Raises Unusable."""
    match = re.fullmatch(r"(.+):(\d+)", text)
    if not match:
        raise Unusable(f"--explain {text}: not a FILE:LINE", "for example --explain models/resnet.py:42")
    return match.group(1), int(match.group(2))


def explain(reports: Sequence[FileReport], place: str, root: Path, console: Console) -> None:
    """Print what happened on a line of the source. Raises Unusable for a file that was not converted."""
    name, line = parse_place(place)
    wanted = {name, Path(name).as_posix()}
    if Path(name).is_relative_to(root):
        wanted.add(Path(name).relative_to(root).as_posix())
    report = next((report for report in reports if report.path in wanted), None)
    if report is None:
        raise Unusable(
            f"--explain {place}: no such file in the project", f"one of {', '.join(r.path for r in reports[:5])}"
        )
    if report.status == Status.FAILED:
        console.print(Text(report.error))
        return
    sites = [site for site in report.sites if site.line == line]
    if not sites:
        console.print(f"{report.path}:{line}: no use of torch is known on this line", markup=False)
    for site in sites:
        console.print(
            Text(f"{report.path}:{line}:{site.column}: {site.api} {MEANINGS[site.outcome]} {site.detail}".rstrip())
        )
