"""``migrate env``: build the interpreter of a framework."""

from __future__ import annotations

from typing import Annotated

import typer

from migrate.environments import Interpreter, available_interpreter


def command(
    name: Annotated[str, typer.Argument(metavar="TARGET", help="A target (paddle, oneflow, ...) or torch.")],
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build it again although it is there.")] = False,
    path: Annotated[bool, typer.Option("--path", help="Print the interpreter's path and nothing else.")] = False,
) -> None:
    """Build an isolated Python interpreter that has a target framework, or torch.

    Frameworks disagree about Python and numpy, so each gets an interpreter of its own, with pinned versions. It is
    built once and kept in the user's cache folder, or in `$MIGRATE_HOME`; `migrate check` finds it there. Where this
    very interpreter already has the framework, nothing is built.

    Build Paddle's, then run a converted project in it:

        migrate env paddle

        $(migrate env paddle --path) converted/train.py
    """
    interpreter = None if rebuild else available_interpreter(name)
    if interpreter is None:
        interpreter = _build(name, rebuild)
    if path:
        typer.echo(interpreter.python)
    else:
        typer.echo(f"{name}: {interpreter.version} in {interpreter.python} ({interpreter.origin})")


def _build(name: str, rebuild: bool) -> Interpreter:
    """Build with progress on stderr, since stdout is for the result."""
    # Imported here to keep the usual call, which finds it built, short.
    from rich.console import Console

    from migrate.environments.build import build

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with console.status(f"building the environment of {name}; this takes some minutes the first time"):
        return build(name, rebuild=rebuild, tell=lambda line: console.print(line, markup=False))
