"""``migrate env``: build the interpreter of a framework."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from migrate.environments import Interpreter, available_interpreter, known_environments
from migrate.errors import Unusable
from rewriters.target import known_targets


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[TARGET]",
            help="A target (paddle, oneflow, ...), torch, or what `migrate export` and `check --backend` need "
            "(paddle2onnx, onnxruntime, openvino). With --for: default, all frameworks that are built.",
        ),
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option(
            "--for",
            metavar="PROJECT",
            help="Make this torch project's own interpreter: beside the framework what its requirements.txt, "
            "pyproject.toml, setup.cfg, setup.py and environment.yml (below pip:) ask for, torch's family left out.",
        ),
    ] = None,
    added: Annotated[
        list[str] | None,
        typer.Option("--add", metavar="PACKAGE", help="With --for: a package besides; may be repeated."),
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build it again although it is there.")] = False,
    path: Annotated[bool, typer.Option("--path", help="Print the interpreter's path and nothing else.")] = False,
) -> None:
    """Build an isolated Python interpreter that has a target framework, or torch.

    Frameworks disagree about Python and numpy, so each gets an interpreter of its own, with pinned versions. It is
    built once and kept in the user's cache folder, or in `$MIGRATE_HOME`; `migrate check` finds it there. Where this
    very interpreter already has the framework, nothing is built.

    A project that needs further packages gets interpreters of its own with --for: they see the framework of the shared
    ones, which stay as they are. `migrate check PROJECT ...` takes them by itself once they are there (not where
    --torch-python or --target-python names another).

    Build Paddle's, then run a converted project in it:

        migrate env paddle

        $(migrate env paddle --path) converted/train.py

    With what a project asks for besides, for torch and for Paddle; of one that does not say what it needs:

        migrate env torch --for repo/ && migrate env paddle --for repo/

        migrate env --for repo/ --add tqdm --add PyYAML
    """
    if project is not None:
        for one in [name] if name else _built():
            _show(one, _told(partial(_own, project, one, rebuild, added or []), f"{one} for {project}"), path)
        return
    if added:
        raise Unusable("--add goes with --for", "migrate env TARGET --for PROJECT --add PACKAGE")
    if name is None:
        raise Unusable("no TARGET was given", f"migrate env TARGET; known: {', '.join(known_environments())}")
    interpreter = None if rebuild else available_interpreter(name)
    if interpreter is None:
        interpreter = _told(partial(_build, name, rebuild), name)
    _show(name, interpreter, path)


def _built() -> list[str]:
    """Raises Unusable where none is."""
    found = [name for name in ("torch", *known_targets()) if available_interpreter(name) is not None]
    if not found:
        raise Unusable("no interpreter is built", "migrate env torch")
    return found


def _show(name: str, interpreter: Interpreter, path: bool) -> None:
    if path:
        typer.echo(interpreter.python)
    else:
        typer.echo(f"{name}: {interpreter.version} in {interpreter.python} ({interpreter.origin})")


# Imported below to keep the usual call, which finds it built, short.


def _own(project: Path, name: str, rebuild: bool, added: list[str], tell: Callable[[str], None]) -> Interpreter:
    from migrate.project_environment import build_for

    return build_for(project, name, rebuild=rebuild, added=added, tell=tell)


def _build(name: str, rebuild: bool, tell: Callable[[str], None]) -> Interpreter:
    from migrate.environments.build import build

    return build(name, rebuild=rebuild, tell=tell)


def _told(work: Callable[[Callable[[str], None]], Interpreter], what: str) -> Interpreter:
    """Build with progress on stderr, since stdout is for the result."""
    from rich.console import Console

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with console.status(f"building the environment of {what}; this takes some minutes the first time"):
        return work(lambda line: console.print(line, markup=False))
