"""From a path to its converted counterpart, without writing anything."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TypeVar

from migrate.convert import notebook
from migrate.convert.dependency_files import convert_dependencies, is_dependency_file
from migrate.convert.parallel import convert_all
from migrate.convert.setup_py import convert_setup_py
from migrate.convert.walk import Project
from migrate.convert.write import Output
from migrate.errors import Unusable
from rewriters.convert import Conversion
from rewriters.files import MENTIONS_TORCH
from rewriters.report import FileReport, Outcome, Site, Status
from rewriters.rules.rulebook import RuleError
from rewriters.target import Target

T = TypeVar("T")


@dataclass
class Result:
    """A converted project and how it would be written.

    originals: path -> content of each file that is not just copied.
    joined:    of notebooks: the line of each site in the text that their cells make together.
    """

    conversion: Conversion
    output: Output
    originals: dict[str, bytes]
    joined: dict[str, list[int]] = field(default_factory=dict)


def convert_project(
    project: Project,
    target: Target,
    rules: tuple[Path, ...],
    jobs: int,
    tell: Callable[[str], None],
    static: bool = False,
    assume: tuple[str, ...] = (),
) -> Result:
    """Convert all that was found, in ``jobs`` processes; raises Unusable for what cannot be read at all."""
    sources = {name: source_of(project, name) for name in project.sources}
    notebooks, not_read = read_notebooks(project)
    texts = {name: project.texts.get(name) or notebook.to_source(data) for name, data in notebooks.items()}
    conversion = convert_python({**sources, **texts}, project.package, target, rules, jobs, tell, static, assume)
    conversion.reports += not_read
    output = Output()
    originals = {str(name): data for name, data in {**sources, **notebooks}.items()}
    joined: dict[str, list[int]] = {}
    for name, data in notebooks.items():
        converted = conversion.files.get(name, texts[name])
        output.texts[str(name)] = notebook.from_source(data, converted)
        for report in conversion.reports:
            if report.path == str(name):
                joined[str(name)] = [site.line for site in report.sites]
                in_cells(report, texts[name])
    for name in sources:
        if name.name == "setup.py":
            declare(name, sources[name], conversion, target)
        if name in conversion.files:
            output.texts[str(name)] = conversion.files[name]
        elif name in project.texts:
            output.texts[str(name)] = project.texts[name]
        else:
            output.copies[str(name)] = project.root / name
    for name, text in conversion.helpers.items():
        if str(name) in originals:
            raise Unusable(f"{project.root / name}: the output needs this name for a module of its own", "rename it")
        output.texts[str(name)] = text.encode()
    for name in project.others:
        if name in notebooks:
            continue
        if is_dependency_file(name):
            originals[str(name)] = read(project.root / name)
            output.texts[str(name)], report = dependencies(name, originals[str(name)], target)
            conversion.reports.append(report)
            continue
        output.copies[str(name)] = project.root / name
    for name in project.links:
        output.links[str(name)] = os.readlink(project.root / name)
    output.folders = [str(name) for name in project.folders]
    output.modes = {
        name: mode(project.root / name)
        for name in originals
        if name in output.texts and (project.root / name).is_file()
    }
    output.texts.update({str(name): text for name, text in project.notes.items()})
    output.copies.update({str(name): path for name, path in project.copies.items()})
    if project.vendors:
        output.torch = {str(name): data for name, data in sources.items()}
    if project.inside:
        put_inside(project.inside, conversion, output)
        originals = {f"{project.inside}/{name}": data for name, data in originals.items()}
        joined = {f"{project.inside}/{name}": lines for name, lines in joined.items()}
    return Result(conversion, output, originals, joined)


def put_inside(folder: str, conversion: Conversion, output: Output) -> None:
    """All goes into a folder of the output."""

    def moved(files: dict[str, T]) -> dict[str, T]:
        return {f"{folder}/{name}": value for name, value in files.items()}

    output.texts, output.modes, output.torch = moved(output.texts), moved(output.modes), moved(output.torch)
    output.copies, output.links = moved(output.copies), moved(output.links)
    output.folders = [f"{folder}/{name}" for name in output.folders]
    for report in conversion.reports:
        report.path = f"{folder}/{report.path}"


def source_of(project: Project, name: PurePosixPath) -> bytes:
    return project.texts[name] if name in project.texts else read(project.root / name)


def convert_python(
    sources: dict[PurePosixPath, bytes],
    package: str,
    target: Target,
    rules: tuple[Path, ...],
    jobs: int,
    tell: Callable[[str], None],
    static: bool = False,
    assume: tuple[str, ...] = (),
) -> Conversion:
    for path in rules:
        if not path.is_file():
            raise Unusable(f"{path}: no such rule file", "see --rules, and rules in [tool.migrate]")
    try:
        return convert_all(sources, target, package, rules, jobs, tell, static, assume)
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


def read_notebooks(
    project: Project, packages: Collection[str] = ()
) -> tuple[dict[PurePosixPath, bytes], list[FileReport]]:
    """The notebooks that mention torch, or a package, or are all there is; a report for each that cannot be read."""
    found: dict[PurePosixPath, bytes] = {}
    reports = []
    for name in project.others:
        if name.suffix != ".ipynb":
            continue
        data = read(project.root / name)
        asked = project.single or name in project.texts or any(package.encode() in data for package in packages)
        if not asked and not MENTIONS_TORCH.search(data):
            continue
        try:
            notebook.load(data)
            found[name] = data
        except notebook.NotANotebook as error:
            done = "" if project.single else "; copied as it is"
            reports.append(FileReport(str(name), Status.FAILED, f"{name}: {error}{done}"))
    return found, reports


def in_cells(report: FileReport, text: bytes) -> None:
    """Count a notebook's lines cell by cell, as its reader does."""
    sites = []
    for site in report.sites:
        cell, line = notebook.line_in_cell(text, site.line)
        sites.append(
            replace(site, line=line, detail=f"in cell {cell}: {site.detail}" if site.detail else f"in cell {cell}")
        )
    report.sites = sites


def declare(name: PurePosixPath, data: bytes, conversion: Conversion, target: Target) -> None:
    """What a setup.py requires becomes the target's, in the conversion's text and its row of the report."""
    text = conversion.files.get(name, data)
    new, marked = convert_setup_py(text, target.requirements, target.title)
    if new != text:
        conversion.files[name] = new
    lines = text.decode("utf-8", "replace").splitlines()
    report = next((row for row in conversion.reports if row.path == str(name)), None)
    if report is not None and report.status is not Status.FAILED:
        report.sites += [marked_site(number, lines[number - 1], target) for number in marked]
        if new != text:
            report.status = Status.CONVERTED


def marked_site(number: int, line: str, target: Target) -> Site:
    return Site(number, 1, line.strip(), Outcome.MARKED, f"no counterpart in {target.title}")


def dependencies(name: PurePosixPath, data: bytes, target: Target) -> tuple[bytes, FileReport]:
    """A file of dependencies for the target, and its row of the report."""
    try:
        text = data.decode("utf-8")
        new, marked = convert_dependencies(name, text, target.requirements, target.title)
    except UnicodeDecodeError as error:
        return data, FileReport(str(name), Status.FAILED, f"{name}: not UTF-8 ({error}); copied as it is")
    except ValueError as error:
        return data, FileReport(str(name), Status.FAILED, f"{name}: {error}; copied as it is")
    lines = text.splitlines()
    sites = [marked_site(number, lines[number - 1], target) for number in marked]
    status = Status.CONVERTED if new != text else Status.UNCHANGED
    return new.encode("utf-8"), FileReport(str(name), status, sites=sites)
