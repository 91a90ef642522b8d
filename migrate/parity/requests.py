"""From the options of ``migrate check``, or a ``parity.toml``, to the checks that are run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from checks.parity.compare import Tolerance
from checks.parity.report import Entry, Failure, Report, merged
from migrate.errors import Unusable
from migrate.parity import Kept, Request, check_parity
from migrate.parity.file import NAME, Check, read_parity_file
from rewriters.target import Target, UnknownTarget, load_target

DEFAULT_TARGET = "paddle"
RECORD = Path(".migrate", "conversion.json")


@dataclass(frozen=True)
class Planned:
    """A check to run, and where it was asked for: file:line of a parity.toml, "" for the command line."""

    request: Request
    where: str = ""


def plan(
    source: Path | None, converted: Path | None, to: str | None, entry: str | None, options: Mapping[str, Any]
) -> list[Planned]:
    """The entry of the command line, else those of the project's parity.toml, else of the one in the current folder.

    source:   the torch project's folder, or a parity.toml that names it.
    options:  fields of Request, and rtol and atol; None where an option was not given. They win over the file's.
    Raises Unusable.
    """
    given = {key: value for key, value in options.items() if value is not None}
    if entry is not None:
        if source is None or converted is None:
            raise Unusable("--entry needs both folders", "migrate check SOURCE CONVERTED --entry MODULE:CALLABLE")
        return [Planned(_request(source, converted, to, entry, given))]
    path = _find(source)
    for option, key in (("--input", "inputs"), ("--weights", "weights")):
        if key in given:
            raise Unusable(f"{option} belongs to one --entry", f"give --entry too, or write it into {path}")
    file = read_parity_file(path)
    source = (None if source == path else source) or file.source or path.parent
    converted = converted or file.converted
    if converted is None:
        raise Unusable(f"{path} does not name the converted folder", f'write converted = "FOLDER" at the top of {path}')
    return [
        Planned(
            _request(
                source, converted, to or file.target, check.entry, _values(check, path.parent, file.paths) | given
            ),
            check.where,
        )
        for check in file.checks
    ]


def run(
    planned: Sequence[Planned],
    on_stage: Callable[[str], None],
    on_entry: Callable[[int, Entry, float], None] = lambda number, entry, seconds: None,
) -> Report:
    """One check after another, in one report. Of several, one that cannot be run is an entry that says so.

    on_entry: told of each that is done: its number, from 1, what was found, and how long it took.

    Checks of the same interpreters are run in the same processes. Raises Unusable: when none could be run, the first
    one's.
    """
    if len(planned) == 1:
        return _run(planned, on_stage, on_entry, None)
    with Kept() as kept:
        return _run(planned, on_stage, on_entry, kept)


def _run(
    planned: Sequence[Planned],
    on_stage: Callable[[str], None],
    on_entry: Callable[[int, Entry, float], None],
    kept: Kept | None,
) -> Report:
    reports: list[Report] = []
    failed: list[tuple[int, Entry, Unusable]] = []
    for position, item in enumerate(planned):
        request, start = item.request, monotonic()
        before = f"{position + 1} of {len(planned)}, {request.name or request.entry}: " if len(planned) > 1 else ""
        try:
            with _at(item.where):
                reports.append(check_parity(request, partial(_prefixed, on_stage, before), kept))
        except Unusable as error:
            failure = Failure("migrate check", "set up", "", error.message, "", [], mend=error.mend)
            entry = Entry(request.name or request.entry, request.entry, list(request.inputs), seed=request.seed)
            entry.failure = failure
            failed.append((position, entry, error))
            on_entry(position + 1, entry, monotonic() - start)
        else:
            for entry in reports[-1].entries:
                on_entry(position + 1, entry, monotonic() - start)
    if not reports:
        raise failed[0][2]
    report = merged(reports)
    for position, entry, _ in failed:
        report.entries.insert(position, entry)
    return report


def _prefixed(on_stage: Callable[[str], None], before: str, stage: str) -> None:
    on_stage(before + stage)


def _find(source: Path | None) -> Path:
    if source is not None and source.is_file() and source.suffix == ".toml":
        return source
    places = [Path(NAME)] if source is None else [source / NAME, Path(NAME)]
    for path in places:
        if path.is_file():
            return path
    looked = " and ".join(str(path.resolve()) for path in places)
    raise Unusable(
        f"nothing says what to check: no --entry, and no {looked}",
        f"give --entry MODULE:CALLABLE, or let migrate check --init {source or 'SOURCE'} write a {NAME}",
    )


def _values(check: Check, folder: Path, paths: Sequence[str]) -> dict[str, Any]:
    values = {"name": check.name, "paths": paths, **check.values}
    inputs = values.get("inputs", [])
    values["inputs"] = [str(folder / text) if text.strip().endswith(".npz") else text for text in inputs]
    return values


def _request(source: Path, converted: Path, to: str | None, entry: str, values: Mapping[str, Any]) -> Request:
    fields = dict(values)
    rtol, atol = fields.pop("rtol", None), fields.pop("atol", None)
    if rtol is not None or atol is not None:
        fields["tolerance"] = Tolerance(rtol or 0.0, atol or 0.0)
    if "levels" in fields:
        fields["levels"] = tuple(fields["levels"])
    fields["paths"] = tuple(fields.get("paths", ()))
    return Request(source=source, converted=converted, target=target_of(to, converted), entry=entry, **fields)


def target_of(to: str | None, converted: Path) -> Target:
    """The target that was asked for, else the one recorded by the conversion. Raises Unusable."""
    record = converted / RECORD
    name = to
    if name is None and record.is_file():
        try:
            name = json.loads(record.read_text(encoding="utf-8"))["target"]
        except (ValueError, KeyError, TypeError):
            raise Unusable(f"{record} names no target", "give the target with --to") from None
    try:
        target = load_target(name or DEFAULT_TARGET)
    except UnknownTarget as error:
        raise Unusable(str(error), "give one of these, or the path of a target's folder, with --to") from None
    if target.weights_only:
        raise Unusable(
            f"{target.title}: code is not rewritten to it, so there is no conversion to check",
            "compare the outputs of the model that you wrote with torch's, on the same inputs",
        )
    return target


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Errors say which table of the file asked for what failed."""
    try:
        yield
    except Unusable as error:
        raise Unusable(f"{where}: {error.message}", error.mend) if where else error from None
