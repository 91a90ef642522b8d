"""What ``migrate convert`` says at the end: packages that stand on torch, what imports, what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from rich.console import Console

from migrate.convert.dependency_files import is_dependency_file
from migrate.convert.record import TORCH
from migrate.convert.requirements import TORCH_FAMILY
from migrate.convert.walk import Project
from migrate.errors import Unusable
from rewriters.report import FileReport
from rewriters.target import Target

if TYPE_CHECKING:
    from migrate.convert.run import Result
    from migrate.convert.smoke import Smoke
    from migrate.environments import Interpreter


def mend_of_failed(report: FileReport, path: Path) -> str:
    """What to do about a single file that failed."""
    if report.is_ours:
        return (
            f"nothing is wrong with the file: report this as a fault of migrate, with {path}, or a piece that shows it"
        )
    return "correct the file"


def smoke_interpreters(target: Target, writes: bool, path: Path) -> tuple[Interpreter | None, Interpreter]:
    """Torch's, where there is one, and the target's: the project's own where they were made. Raises Unusable."""
    from migrate.environments import available_interpreter
    from migrate.environments.project import interpreter_for, own_interpreter

    if not writes:
        raise Unusable("--smoke imports what was written", "leave out --diff and --explain")
    folder = path if path.is_dir() else path.parent
    torch = own_interpreter("torch", folder) or available_interpreter("torch")
    return torch, interpreter_for(target.given_as, folder)


def tell_smoke(
    path: Path,
    project: Project,
    destination: Path,
    reports: Sequence[FileReport],
    interpreters: tuple[Interpreter | None, Interpreter],
    target: Target,
    console: Console,
) -> Smoke:
    """Import what was written, and tell. path: what was converted, as it was given."""
    from migrate.convert.smoke import lacking, smoke

    with console.status(f"importing with {target.title}"):
        done = smoke(project, destination, reports, *interpreters)
    for line in done.lines(target.title):
        console.print(line, style="red" if line.startswith("fails:") else None, markup=False)
    folder = path if path.is_dir() else path.parent
    missing, own_modules = lacking([*done.failed, *done.lacks, *done.neither], project.root)
    if own_modules:
        console.print(
            f"{', '.join(own_modules)}: the project's own, and not there: where a setup.py of it builds an extension, "
            "build it on both sides",
            markup=False,
        )
    missing = [name for name in missing if name not in TORCH_FAMILY]  # they stand on torch, and are told elsewhere
    if missing:
        sides = ("torch", target.given_as) if done.failed or done.neither else (target.given_as,)
        own = " && ".join(f"migrate env {name} --for {shlex.quote(str(folder))}" for name in sides)
        named = (
            "what its requirements name and is missing here comes" if says_needs(project) else "what is missing comes"
        )
        console.print(f"{named} into interpreters of its own: {own}", markup=False)
        console.print(
            f"what no file names: --add PACKAGE there, for each of {', '.join(missing)} by its package's name; "
            "then convert --smoke again",
            markup=False,
        )
    return done


def says_needs(project: Project) -> bool:
    """Whether a file of the project says which packages it needs, of those that ``migrate env --for`` reads."""
    read = any(len(path.parts) == 1 and is_dependency_file(path) for path in project.others)
    return read or PurePosixPath("setup.py") in project.sources


def tell_packages(result: Result, project: Project, target: Target, brought: list[str], console: Console) -> list[str]:
    """What came along of packages, and those that the project imports and that need torch themselves: the lines."""
    from migrate.convert.standing import advice, standing_on_torch

    for line in project.told:
        console.print(line, markup=False)
    inside = f"{project.inside}/" if project.inside else ""
    sources = {name: result.originals[f"{inside}{name}"] for name in project.sources}
    beside = (project.root.parent if inside else project.root) if project.renamed else None
    standing = advice(standing_on_torch(sources, project.package, target, map(package_name, brought), beside))
    for line in standing:
        console.print(line, style="yellow", markup=False)
    return [*project.told, *standing]


def package_name(given: str) -> str:
    """Of a package, or of its folder."""
    return Path(given).resolve().name if (Path(given) / "__init__.py").is_file() else given


def tell_next(
    destination: Path, target: Target, project: Project, entries: list[str], console: Console, wrote: bool
) -> None:
    """The commands for what came along: its torch side is what was converted."""
    if not wrote or not project.vendors:
        return
    from migrate.convert.vendor import made_by

    made = made_by(entries[0], project.renamed) if entries else "MODULE:CALLABLE(...)"
    torch = destination / TORCH
    console.print(f"migrate weights CHECKPOINT --to {target.name} --project {torch} --model '{made}'", markup=False)
    console.print(f"migrate check {torch} {destination} --entry '{made}' --input SPEC", markup=False)
