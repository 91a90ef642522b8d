"""The report of a conversion as a file: JSON, SARIF for code scanning, Markdown for a pull request."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import migrate
from migrate.convert.left_alone import left_alone, told
from migrate.convert.summary import outcomes, to_json, totals
from migrate.errors import Unusable
from rewriters.report import FileReport, Outcome, Risk, Status, Word

Reports = Sequence[FileReport]
LEVELS = {
    Outcome.MARKED: "warning",
    Outcome.DIFFERS: "warning",
    Outcome.NOTED: "note",
    Outcome.UNKNOWN: "note",
    Outcome.EAGER: "note",
}
RULES: dict[Word, str] = {
    Outcome.MARKED: "A use of torch without an equivalent in the target; it raises when reached.",
    Outcome.DIFFERS: "It is converted, and what it gives is not what torch gives.",
    Outcome.NOTED: "It is converted, and what it gives is a little different, as the target's page in docs/ says.",
    Outcome.UNKNOWN: "It is not known whether the receiver is a tensor; the line is left as it stands.",
    Outcome.EAGER: "No static graph holds this; it stays eager.",
    Status.FAILED: "The file was not converted.",
}


def to_sarif(reports: Reports, target: str) -> str:
    """SARIF 2.1.0: marked and unknown sites and failed files."""
    results = []
    for report in reports:
        if report.status == Status.FAILED:
            results.append(finding(Status.FAILED, "error", report.error, report.path, 1, 1))
        for site in report.sites:
            if site.outcome in LEVELS:
                level = "warning" if site.risk == Risk.DIFFERS else LEVELS[site.outcome]
                results.append(finding(site.outcome, level, told(site), report.path, site.line, site.column))
    driver = {
        "name": "migrate",
        "version": migrate.__version__,
        "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()],
    }
    run = {"tool": {"driver": driver}, "results": results, "properties": {"target": target}}
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=1) + "\n"


def finding(rule: str, level: str, text: str, path: str, line: int, column: int) -> dict[str, object]:
    place = {"artifactLocation": {"uri": path}, "region": {"startLine": line, "startColumn": column}}
    return {"ruleId": rule, "level": level, "message": {"text": text}, "locations": [{"physicalLocation": place}]}


def to_markdown(reports: Reports, target: str) -> str:
    """A page: counts, uses by API, then what is left to do."""
    counts = totals(reports)
    status = Counter(report.status for report in reports)
    columns = outcomes(counts)
    lines = [
        f"# Conversion to {target}",
        "",
        f"{len(reports)} files: " + ", ".join(f"{status[s]} {s}" for s in Status) + ".",
        "",
        "| " + " | ".join(columns) + " |",
        "|" + "---|" * len(columns),
        "| " + " | ".join(str(counts[outcome]) for outcome in columns) + " |",
        "",
        "## By API",
        "",
        "| API | " + " | ".join(columns) + " |",
        "|---|" + "---|" * len(columns),
    ]
    by_api: dict[str, Counter[Outcome]] = {}
    for report in reports:
        for site in report.sites:
            by_api.setdefault(site.api, Counter())[site.outcome] += 1
    for api, found in sorted(by_api.items(), key=lambda item: (-item[1][Outcome.MARKED], -item[1].total(), item[0])):
        lines.append(f"| `{api}` | " + " | ".join(str(found[outcome] or "") for outcome in columns) + " |")
    failed = [f"* {report.error}" for report in reports if report.status == Status.FAILED]
    for title, items in [
        ("Not converted", failed),
        *((outcome.capitalize(), todo(reports, outcome)) for outcome in LEVELS),
    ]:
        if items:
            lines += ["", f"## {title}", "", *items]
    return "\n".join(lines) + "\n"


def todo(reports: Reports, outcome: Outcome) -> list[str]:
    if outcome == Outcome.UNKNOWN:
        return [f"* `{path}:{site.line}` {told(site)}" for path, site in left_alone(reports)]
    return [
        f"* `{report.path}:{site.line}` `{site.api}`: {site.detail}"
        for report in reports
        for site in report.sites
        if site.outcome == outcome
    ]


FORMATS: dict[str, Callable[[Reports, str], str]] = {".json": to_json, ".sarif": to_sarif, ".md": to_markdown}


def check(path: Path) -> None:
    """Raises Unusable for a path that no report can be written to, before any work is done."""
    if path.is_dir():
        raise Unusable(f"{path}: is a folder", "give --report a file")
    if path.suffix not in FORMATS:
        raise Unusable(f"{path}: no report has this suffix", f"use one of {', '.join(FORMATS)}")


def render(path: Path, reports: Reports, target: str) -> bytes:
    """The report in the format that the file's suffix names."""
    return FORMATS[path.suffix](reports, target).encode("utf-8")
