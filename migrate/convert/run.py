"""From a path to its converted counterpart, without writing anything."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from migrate.convert.requirements import convert_requirements, is_requirements
from migrate.convert.walk import Project
from migrate.convert.write import Output
from migrate.errors import Unusable
from rewriters.convert import Conversion, convert_sources
from rewriters.report import Site
from rewriters.rulebook import RuleError
from rewriters.target import Target


@dataclass
class Result:
    """A converted project and how it would be written."""

    conversion: Conversion
    output: Output
    originals: dict[str, bytes]


def convert_project(project: Project, target: Target, rules: tuple[Path, ...], tell: Callable[[str], None]) -> Result:
    """Convert all that was found; raises Unusable for what cannot be read at all."""
    sources: dict[PurePosixPath, bytes] = {}
    for name in project.sources:
        sources[name] = read(project.root / name)
    for path in rules:
        if not path.is_file():
            raise Unusable(f"{path}: no such rule file")
    try:
        conversion = convert_sources(sources, target, project.package, rules, tell)
    except RuleError as error:
        raise Unusable(str(error), "correct the rule file") from error
    output = Output()
    originals = {str(name): data for name, data in sources.items()}
    failed = {PurePosixPath(report.path) for report in conversion.reports if report.status == "failed"}
    for name, data in conversion.files.items():
        output.texts[str(name)] = data
    for name in failed - set(conversion.files):
        output.copies[str(name)] = project.root / name
    for name, text in conversion.helpers.items():
        if str(name) in output.texts:
            raise Unusable(f"{name}: the project has a file of the helper module's name", "rename it")
        output.texts[str(name)] = text.encode()
    for name in project.others:
        if is_requirements(name):
            originals[str(name)] = read(project.root / name)
            output.texts[str(name)] = requirements(name, originals[str(name)], target, conversion)
        else:
            output.copies[str(name)] = project.root / name
    for name in project.links:
        output.links[str(name)] = os.readlink(project.root / name)
    return Result(conversion, output, originals)


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unusable(f"{path}: cannot be read: {error.strerror}") from error


def requirements(name: PurePosixPath, data: bytes, target: Target, conversion: Conversion) -> bytes:
    """A requirements file for the target; its marked lines join the report."""
    from rewriters.report import FileReport

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        conversion.reports.append(FileReport(str(name), "failed", f"{name}: not UTF-8: {error}"))
        return data
    new, marked = convert_requirements(text, target.requirements, target.title)
    report = FileReport(str(name), "converted" if new != text else "unchanged")
    lines = text.splitlines()
    report.sites = [Site(n, 1, lines[n - 1].strip(), "marked", f"no counterpart in {target.title}") for n in marked]
    conversion.reports.append(report)
    return new.encode("utf-8")


def unified_diff(result: Result) -> str:
    """What would change, as a unified diff; new files are shown whole."""
    pieces: list[str] = []
    for name, data in sorted(result.output.texts.items()):
        old = result.originals.get(name, b"")
        if old == data:
            continue
        lines = [text.decode("utf-8", errors="replace").splitlines(keepends=True) for text in (old, data)]
        before = f"a/{name}" if name in result.originals else "/dev/null"
        for line in difflib.unified_diff(*lines, before, f"b/{name}"):
            pieces.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(pieces)
