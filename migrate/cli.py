"""The ``migrate`` command: one sub-command per file in ``migrate/commands``."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

import migrate
from migrate import commands
from migrate.errors import Unusable
from rewriters.text.parsing import module_of

# In the order of --help; a file that is not named here comes last. A module is imported only when its command is
# called: start-up stays short.
ORDER = ("convert", "weights", "check", "bench", "rules", "doctor", "env")


def command_names() -> list[str]:
    found = [module.name for module in pkgutil.iter_modules(commands.__path__)]
    return sorted(found, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def docstring(name: str) -> str | None:
    """Of the function that is the sub-command, whose module is not imported for it."""
    path = Path(commands.__path__[0], f"{name}.py")
    tree = module_of(path.read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return ast.get_docstring(functions["command"])


class LazyGroup(TyperGroup):
    """Imports a sub-command when it is asked for; to list them all, their docstrings are read off the source."""

    listing = False

    def format_help(self, ctx: Any, formatter: Any) -> None:
        self.listing = True
        super().format_help(ctx, formatter)

    def list_commands(self, ctx: Any) -> list[str]:
        return command_names()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in command_names():
            return None
        if self.listing:
            return TyperCommand(cmd_name, help=docstring(cmd_name))
        app = typer.Typer(add_completion=False, rich_markup_mode="markdown")
        module = importlib.import_module(f"{commands.__name__}.{cmd_name}")
        app.command(name=cmd_name)(module.command)
        return typer.main.get_command(app)


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    help="Move a PyTorch project to another framework: rewrite the source, carry the weights, prove that both agree.",
)


@app.callback(invoke_without_command=True)
def root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    if version:
        typer.echo(f"migrate {migrate.__version__}")
        raise typer.Exit()


def main() -> None:
    """Entry point: an Unusable error becomes two lines on stderr and exit code 2."""
    try:
        app()
    except Unusable as error:
        print(f"migrate: {error.message}", file=sys.stderr)
        if error.mend:
            print(f"  mend: {error.mend}", file=sys.stderr)
        sys.exit(2)
