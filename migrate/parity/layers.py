"""Layer by layer: which modules agree on the way, which agree alone, and which one is to blame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from checks.parity.compare import Tolerance
from checks.parity.report import DIFFERS, Culprit, Level, Row
from migrate.parity.levels import Record, Results, compare_records

CONTAINERS = ("Sequential", "ModuleList", "ModuleDict")
"""What they compute is what their parts do."""

REPEATS = 3
"""How many calls of one module are tried alone."""

LINES = 2
"""Lines of the converted source shown before and after the culprit's."""

Modules = Mapping[str, Mapping[str, Any]]


def containers(modules: Modules) -> list[str]:
    """Names of those that are not compared."""
    return [name for name, module in modules.items() if module["type"] in CONTAINERS and not module["own"]]


def calls_to_try(records: Iterable[Record], modules: Modules, whole: bool) -> list[str]:
    """The recorded calls that can be repeated alone: of single layers, or of the project's own modules of several."""
    parents = {name.rpartition(".")[0] for name in modules}
    seen: dict[str, int] = {}
    found = []
    for record in records:
        name = record["name"] and record["module"]
        if not name or "positional" not in record or (name in parents) != whole:
            continue
        if whole and not modules[name]["own"]:
            continue
        seen[name] = seen.get(name, 0) + 1
        if seen[name] <= REPEATS:
            found.append(record["name"])
    return found


def activations(results: Results, target: Modules, tolerance: Tolerance | None) -> list[tuple[Row, Record]]:
    """What each call of a module returned, within the whole model."""
    records = [record for record in results.own.records if record["name"]]
    known = [record for record in records if record["module"] in target]
    rows = compare_records(results, known, tolerance, lambda _: "layer")
    missing = dict.fromkeys(record["module"] for record in records if record["module"] not in target)
    for name in missing:
        row = Row(name, "layer", verdict="skipped", note="the target has no module of that name")
        rows.append((row, {"name": name, "module": name}))
    _places(rows, target)
    return rows


def alone(
    results: Results, names: Iterable[str], target: Modules, tolerance: Tolerance | None
) -> list[tuple[Row, Record]]:
    """What each module returned when it was fed torch's own input."""
    failed_here, crashed = results.summary["errors"], results.there["crashed"]
    failed_there = {**results.there["errors"], **crashed}
    wanted = [name for name in names if name not in failed_here and name not in failed_there]
    records = [record for record in map(results.own.find, wanted) if record is not None]
    rows = compare_records(results, records, tolerance, lambda _: "alone")
    for name, error in failed_there.items():
        if name not in failed_here:
            row = Row(name, "alone")
            row.worsen(DIFFERS, "missing", f"alone, it {error}" if name in crashed else f"raises alone: {error}")
            rows.append((row, results.own.find(name) or {"name": name, "module": name}))
    _places(rows, target)
    return rows


def blame(rows: list[tuple[Row, Record]]) -> tuple[Row, Record] | None:
    """The first layer that differs alone, else the first that differs within the model and could not be tried alone.

    None where layers differ within the model only: then it is the code around them that hands them something else.
    """
    differing = [(row, record) for row, record in rows if row.verdict == DIFFERS]
    alone = next(((row, record) for row, record in differing if row.kind == "alone"), None)
    if alone is not None:
        return alone
    tried = {record["name"] for row, record in rows if row.kind == "alone"}
    first = next(((row, record) for row, record in differing if row.kind == "layer"), None)
    return first if first is not None and first[1]["name"] not in tried and "positional" not in first[1] else None


def culprit_of(row: Row, module: str, torch: Modules, converted: Path) -> Culprit:
    """The culprit with its converted lines."""
    found = Culprit(module, str(torch.get(module, {}).get("type", "")), row.where, row=row.name, cause=row.cause)
    found.lines = lines_at(row.where, converted)
    return found


def lines_at(where: str, converted: Path) -> list[tuple[int, str]]:
    """(number, text) around file:line of the converted project."""
    file, _, number = where.rpartition(":")
    if not file:
        return []
    text = (converted / file).read_text(encoding="utf-8", errors="replace").splitlines()
    line = int(number)
    return [(at, text[at - 1]) for at in range(max(1, line - LINES), min(len(text), line + LINES) + 1)]


def level_of(rows: list[tuple[Row, Record]]) -> Level:
    """The level."""
    return Level("activations", [row for row, _ in rows])


def _places(rows: list[tuple[Row, Record]], target: Modules) -> None:
    for row, record in rows:
        row.where = str(target.get(record.get("module", ""), {}).get("where", ""))
