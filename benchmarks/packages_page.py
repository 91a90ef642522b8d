"""The page of what packages.py found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rewriters.storing import replace_text

TITLES = {"paddle": "PaddlePaddle", "oneflow": "OneFlow"}
MOST = 8  # causes of a package
HEAD = """# Packages

Packages from PyPI, converted whole and unedited, and each of their modules imported in the target, by
`python benchmarks/packages.py [--to oneflow]`. Of the modules that import with torch, how many import with the target.
What a package needs that stands on torch itself comes along, by `--with`.
"""


def write_page(listed: list[dict[str, Any]], work: Path, page: Path) -> None:
    """From the last run of each package; one that was not tried for a target has a dash."""
    results = {
        (package["name"], target): json.loads(path.read_text())
        for package in listed
        for target in TITLES
        if (path := work / package["name"] / f"{target}.json").exists()
    }
    results = {key: row for key, row in results.items() if "problem" not in row}
    lines = [HEAD, f"| package | version | with torch | {' | '.join(TITLES.values())} |", "|---|---|---|---|---|"]
    for package in listed:
        rows = [results.get((package["name"], target)) for target in TITLES]
        if not any(rows):
            continue
        with_torch = next(f"{row['with_torch']} of {row['modules']}" for row in rows if row)
        shares = [share(row["with_target"], row["with_torch"]) if row else "—" for row in rows]
        lines.append(f"| {package['name']} | {package['version']} | {with_torch} | {' | '.join(shares)} |")
    for target, title in TITLES.items():
        causes = [
            (name, one) for (name, tried), row in results.items() if tried == target for one in row["causes"][:MOST]
        ]
        if causes:
            lines += [f"\n## What keeps modules from importing in {title}\n", "| modules | package | where | why |"]
            lines.append("|---|---|---|---|")
            lines += [f"| {c['modules']} | {name} | `{c['place']}` | `{cell(c['why'])}` |" for name, c in causes]
    replace_text(page, "\n".join(lines) + "\n")


def share(some: int, of: int) -> str:
    return f"{some} ({some / of:.1%})" if of else "—"


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'")
