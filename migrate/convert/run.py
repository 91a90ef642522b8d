"""From a path to its converted counterpart, without writing anything."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from migrate.convert.deep import with_deep_stack
from migrate.convert.requirements import convert_requirements, is_requirements
from migrate.convert.walk import Project
from migrate.convert.write import Output
from migrate.errors import Unusable
from rewriters.convert import MENTIONS_TORCH, Conversion, convert_sources
from rewriters.report import FileReport, Site
from rewriters.rulebook import RuleError
from rewriters.target import Target


@dataclass
class Result:
    """A converted project and how it would be written.

    originals: path -> content of each file that is not just copied.
    """

    conversion: Conversion
    output: Output
    originals: dict[str, bytes]


def convert_project(project: Project, target: Target, rules: tuple[Path, ...], tell: Callable[[str], None]) -> Result:
    """Convert all that was found; raises Unusable for what cannot be read at all."""
    sources = {name: read(project.root / name) for name in project.sources}
    conversion = convert_python(sources, project.package, target, rules, tell)
    output = Output()
    originals = {str(name): data for name, data in sources.items()}
    for name in sources:
        if name in conversion.files:
            output.texts[str(name)] = conversion.files[name]
        else:
            output.copies[str(name)] = project.root / name
    for name, text in conversion.helpers.items():
        if str(name) in originals:
            raise Unusable(f"{project.root / name}: the output needs this name for its helper module", "rename it")
        output.texts[str(name)] = text.encode()
    for name in project.others:
        if is_requirements(name):
            originals[str(name)] = read(project.root / name)
            output.texts[str(name)], report = requirements(name, originals[str(name)], target)
            conversion.reports.append(report)
            continue
        output.copies[str(name)] = project.root / name
        if name.suffix == ".ipynb" and MENTIONS_TORCH.search(read(project.root / name)):
            why = f"{name}: notebooks are not converted yet; copied as it is"
            conversion.reports.append(FileReport(str(name), "failed", why))
    for name in project.links:
        output.links[str(name)] = os.readlink(project.root / name)
    output.folders = [str(name) for name in project.folders]
    output.modes = {name: mode(project.root / name) for name in originals if name in output.texts}
    return Result(conversion, output, originals)


def convert_python(
    sources: dict[PurePosixPath, bytes],
    package: str,
    target: Target,
    rules: tuple[Path, ...],
    tell: Callable[[str], None],
) -> Conversion:
    for path in rules:
        if not path.is_file():
            raise Unusable(f"{path}: no such rule file", "see --rules, and rules in [tool.migrate]")
    try:
        return with_deep_stack(lambda: convert_sources(sources, target, package, rules, tell))
    except RuleError as error:
        raise Unusable(str(error), "correct the rule file") from error
    except (OSError, UnicodeDecodeError) as error:  # sources are in memory: only rule files are read there
        raise Unusable(f"{', '.join(map(str, rules))}: cannot be read: {error}", "correct the rule file") from error


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unusable(f"{path}: cannot be read: {error.strerror}", "make it readable or --exclude it") from error


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def requirements(name: PurePosixPath, data: bytes, target: Target) -> tuple[bytes, FileReport]:
    """A requirements file for the target, and its row of the report."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data, FileReport(str(name), "failed", f"{name}: not UTF-8 ({error}); copied as it is")
    new, marked = convert_requirements(text, target.requirements, target.title)
    lines = text.splitlines()
    sites = [Site(n, 1, lines[n - 1].strip(), "marked", f"no counterpart in {target.title}") for n in marked]
    return new.encode("utf-8"), FileReport(str(name), "converted" if new != text else "unchanged", sites=sites)
