"""The page of what packages.py found."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rewriters.storing import replace_text

TITLES = {"paddle": "PaddlePaddle", "oneflow": "OneFlow"}
MOST = 8  # causes of a package
TESTS = 5  # causes of failing tests
TOO_OLD = re.compile(r"current Python version \(([\d.]+)\)\s+does\s+not\s+satisfy\s+Python>=([\d.]+)")
HEAD = """# Packages

Packages from PyPI, converted whole and unedited, and each of their modules imported in the target, by
`python benchmarks/packages.py [--to oneflow]`. Of the modules that import with torch, how many import with the target.
What a package needs that stands on torch itself comes along, by `--with`.

*Tests*: of the tests that the package ships and that pass with torch (those that `benchmarks/packages.toml` lists),
how many pass with the target, converted with the package (`--tests`).
"""


def write_page(listed: list[dict[str, Any]], kept: dict[str, dict[str, Any]], page: Path) -> None:
    """From the last row of each package and target; one that was not tried for a target has a dash."""
    results = {
        (package["name"], target): kept[package["name"]][target]
        for package in listed
        for target in TITLES
        if target in kept.get(package["name"], {})
    }
    refused = {key: row for key, row in results.items() if "problem" in row}
    results = {key: row for key, row in results.items() if key not in refused}
    heads = [part for title in TITLES.values() for part in (title, "tests")]
    lines = [HEAD, f"| package | version | with torch | {' | '.join(heads)} |", "|---|---|---|---|---|---|---|"]
    for package in listed:
        rows = [results.get((package["name"], target)) for target in TITLES]
        if not any(rows):
            continue
        with_torch = next(f"{row['with_torch']} of {row['modules']}" for row in rows if row)
        shares = []
        for row in rows:
            told = row.get("tests") if row else None
            shares.append(share(row["with_target"], row["with_torch"]) if row else "—")
            shares.append(f"{told['with_target']} of {told['with_torch']}" if told else "—")
        lines.append(f"| {package['name']} | {package['version']} | {with_torch} | {' | '.join(shares)} |")
    tried = {name for name, _ in (*results, *refused)}
    left = [package["name"] for package in listed if package["name"] not in tried]
    lines += [f"\nListed and without a result: {', '.join(left)}."] if left else []
    for target, title in TITLES.items():
        told = [
            f"{name} {row['version']} ({why_not(row['problem'], title)})"
            for (name, of), row in refused.items()
            if of == target
        ]
        lines += [f"\nNot installed for {title}: {'; '.join(told)}."] if told else []
    for target, title in TITLES.items():
        causes = [
            (name, one) for (name, tried), row in results.items() if tried == target for one in row["causes"][:MOST]
        ]
        if causes:
            lines += [f"\n## What keeps modules from importing in {title}\n", "| modules | package | where | why |"]
            lines.append("|---|---|---|---|")
            lines += [f"| {c['modules']} | {name} | `{c['place']}` | `{cell(c['why'])}` |" for name, c in causes]
        tests = [
            (name, one)
            for (name, tried), row in results.items()
            if tried == target and "tests" in row
            for one in row["tests"]["causes"][:TESTS]
        ]
        if tests:
            lines += [f"\n## What keeps tests from passing in {title}\n", "| tests | package | why |", "|---|---|---|"]
            lines += [f"| {c['tests']} | {name} | `{cell(c['why'])}` |" for name, c in tests]
    replace_text(page, "\n".join(lines) + "\n")


def why_not(problem: str, title: str) -> str:
    """Why a package is not installed, in a few words."""
    found = TOO_OLD.search(problem)
    if found:
        return f"needs Python {found[2]}, {title}'s interpreter has {found[1]}"
    return cell(problem.strip().splitlines()[-1].strip()[:200])


def share(some: int, of: int) -> str:
    return f"{some} ({some / of:.1%})" if of else "—"


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'")
