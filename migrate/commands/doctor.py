"""``migrate doctor``: what is there, what is missing, and what mends it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from packaging.requirements import Requirement
from rich.markup import escape
from rich.table import Table

import migrate
from migrate.environments import environment_for, find_interpreter, probe_import
from migrate.errors import Unusable
from migrate.reports.screen import screen
from rewriters.storing import home
from rewriters.target import known_targets, load_target

DISTRIBUTION = "torch-migrate"


@dataclass(frozen=True)
class Finding:
    """One row: what was looked for, what was found, and the command that mends it, empty when all is well."""

    what: str
    found: str
    mend: str = ""


def command(
    to: Annotated[
        str | None, typer.Option("--to", metavar="TARGET", help="Look at this target and torch only.")
    ] = None,
) -> None:
    """Say what `migrate` needs, what of it is there, and the exact command that mends what is missing.

    Every framework is really imported, each in its own interpreter. The exit code is 0 when all that was asked for is
    there, and 1 when something is missing.

    Before converting to OneFlow:

        migrate doctor --to oneflow
    """
    # Weights are carried without their framework, so that its interpreter is not missing.
    names = ["torch", *([to] if to else (name for name in known_targets() if not load_target(name).weights_only))]
    for name in names:
        environment_for(name)  # an unknown one ends the command before anything is printed

    console = screen(highlight=False)
    table = Table("", "what", "found", title="migrate doctor", title_justify="left")
    missing = []
    with console.status("importing each framework"), ThreadPoolExecutor() as pool:
        for finding in [*_core(), *pool.map(_framework, names), _cache()]:
            mark = "[red]missing[/red]" if finding.mend else "[green]ok[/green]"
            table.add_row(mark, finding.what, escape(finding.found))
            missing += [finding] if finding.mend else []
    console.print(table)
    for finding in missing:
        # Printed whole and unwrapped, to be copied.
        console.print(f"{finding.what}: {finding.mend}", markup=False, soft_wrap=True)
    if not missing:
        console.print("next: migrate convert PROJECT --smoke converts it, and imports what came out", highlight=False)
    raise typer.Exit(1 if missing else 0)


def _core() -> Iterator[Finding]:
    """migrate, the Python that runs it, and the packages that its own metadata asks for."""
    yield Finding("migrate", f"{migrate.__version__} in {Path(migrate.__file__).parent}")
    yield Finding("Python", f"{platform.python_version()} in {sys.executable}")
    try:
        requirements = importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        root = Path(migrate.__file__).parent.parent
        yield Finding(DISTRIBUTION, "not installed, runs from its folder", f"{_pip()} -e {root}")
        return
    for requirement in map(Requirement, requirements):
        # Not those of an extra, nor those for another Python.
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield _package(requirement)


def _package(requirement: Requirement) -> Finding:
    try:
        return Finding(requirement.name, importlib.metadata.version(requirement.name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(requirement.name, "not installed", f"{_pip()} '{requirement.name}{requirement.specifier}'")


def _pip() -> str:
    """The command that installs into this interpreter; environments made by uv have no pip."""
    if importlib.util.find_spec("pip"):
        return f"{sys.executable} -m pip install"
    return f"{sys.executable} -m uv pip install --python {sys.executable}"


def _framework(name: str) -> Finding:
    try:
        interpreter = find_interpreter(name)
        version = probe_import(interpreter)
    except Unusable as error:
        return Finding(name, error.message, error.mend)
    return Finding(name, f"{version} in {interpreter.python} ({interpreter.origin})")


def _cache() -> Finding:
    used = sum(_sizes(home())) / 1e9
    return Finding("cache", f"{used:.1f} GB in {home()}")


def _sizes(folder: Path) -> Iterator[int]:
    """Bytes of each file under the folder; none when there is no folder."""
    for root, _, files in os.walk(folder):
        for file in files:
            yield os.lstat(os.path.join(root, file)).st_size
