"""The pages docs/public-repos*.md, from the results of public_repos.py: names and figures only."""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

from rewriters.target import Target

HEAD = """# Public repositories

Public PyTorch repositories, converted to {target} and checked with nothing edited by hand. Made by
`python benchmarks/public_repos.py --to {name}`; which models, with which arguments and inputs, is in
`benchmarks/public_repos.toml`.

Each model is built on both sides in a tiny configuration and takes the same seeded weights, carried by the weight
converter. A figure is the worst error in units of torch's own float32 rounding noise, over all compared tensors:
about 1 is a clean port, above 4 a warning, above 10 differs.

{passed} of {entries} models agree forward, backward and over 5 training steps, {warned} of them with a warning; in
{clean} of {repos} repositories all that were checked do.{more} `migrate check` ended in {exits}
(0 agrees, 1 differs, 2 could not compare).
"""
MORE = "{count} more do with `{settings}`: {why}"
SITES = """
## Conversions

Uses of torch in all converted files, not only in the models above: *inlined* are rewritten in place, *helper* call a
function in the output's helper module, *marked* have no equivalent and raise when reached, *unknown* are left as they
stand since it is not known whether the receiver is a tensor.

| repository | commit | files converted | failed | same | inlined | helper | marked | unknown |
|---|---|---|---|---|---|---|---|---|"""
LEVELS = ("outputs", "gradients", "steps")
FOLDER = re.compile(r"/\S+/(?=[\w.-]+\+[\w.-]+/)")  # in which the conversions lie


def write_page(listed: dict[str, Any], work: Path, target: Target, page: Path) -> None:
    """Write the page of every listed repository that has a result in the folder `work`."""
    results = []
    for repo in listed["repo"]:
        path = work / (repo["name"].replace("/", "+") + ".result.json")
        if path.exists():
            results.append((repo, json.loads(path.read_text())))
    entries = [entry for _, result in results for entry in result["entries"]]
    run = {repo["name"] for repo, _ in results}
    left = [f"{repo['name']} ({len(repo['entry'])})" for repo in listed["repo"] if repo["name"] not in run]
    exits = Counter(entry["exit"] for entry in entries)
    again = listed.get("again", {}).get(target.name, {})
    count = sum(agrees(entry["again"]) for entry in entries if "again" in entry)
    more = ""
    if count:
        text = MORE.format(count=count, settings=settings(again), why=listed["again"]["why"][target.name])
        more = "\n\n" + textwrap.fill(text, 120)
    if left:
        said = f"Not run yet, with how many models of each: {', '.join(left)}."
        more += "\n\n" + textwrap.fill(said, 120, break_on_hyphens=False)
    lines = [
        HEAD.format(
            target=target.title,
            name=target.name,
            more=more,
            exits=", ".join(f"{status} for {count} models" for status, count in sorted(exits.items())),
            passed=sum(agrees(entry) for entry in entries),
            entries=len(entries),
            warned=sum(entry["verdict"] == "warn" for entry in entries),
            clean=sum(all(map(agrees, result["entries"])) for _, result in results),
            repos=len(results),
        ),
        "## Models\n",
        "| repository | kind | model | forward | gradients | 5 steps | verdict | exit |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for repo, result in results:
        for entry in result["entries"]:
            model = entry["entry"].partition("(")[0]
            lines.append(f"| {repo['name']} | {repo['kind']} | `{model}` | {outcome(entry)} |")
            if "again" in entry:
                lines.append(f"| | | with `{settings(again)}` | {outcome(entry['again'])} |")
    lines.append(SITES)
    for repo, result in results:
        done = result["converted"]
        name, commit = repo["name"], repo["commit"][:10]
        if "failed" in done:
            lines.append(f"| {name} | {commit} | not converted | | | | | | |")
            continue
        sites = " | ".join(str(count) for count in done["sites"].values())
        lines.append(f"| {name} | {commit} | {done['files']} | {done['files_failed']} | {sites} |")
    lines += obstacles(results, target)
    page.write_text("\n".join(lines) + "\n")


def agrees(entry: dict[str, Any]) -> bool:
    return entry["verdict"] in ("same", "warn")


def outcome(entry: dict[str, Any]) -> str:
    """The cells of one check: a figure for each level, the verdict, the exit status."""
    return " | ".join([*(figure(entry["levels"].get(level)) for level in LEVELS), entry["verdict"], str(entry["exit"])])


def figure(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3g}"


def settings(variables: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in variables.items())


def obstacles(results: list[tuple[dict[str, Any], dict[str, Any]]], target: Target) -> list[str]:
    """What stood in the way of the models that do not agree: what the list says of it, else the check's own words."""
    rows = [
        f"* {repo['name']} `{entry['entry'].partition('(')[0]}`: {obstacle(listed, target) or first_line(entry['why'])}"
        for repo, result in results
        for listed, entry in zip(repo["entry"], result["entries"], strict=True)
        if not agrees(entry) and not agrees(entry.get("again", entry))
    ]
    return ["\n## What stood in the way\n", *rows] if rows else []


def obstacle(listed: dict[str, Any], target: Target) -> str | None:
    """What the list says of an entry, for this target."""
    found: str | None = listed.get("obstacle", {}).get(target.name)
    return found


def first_line(text: str) -> str:
    found = next((line.removeprefix("migrate: ") for line in text.splitlines() if line.strip()), "its figures differ")
    return FOLDER.sub("", found)
