"""What messages tell people to type exists: commands of migrate, and their options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from migrate.cli import app

ROOT = Path(__file__).parents[2]
FOLDERS = ("migrate", "checks/parity", "rewriters")
OWN_OPTIONS = ("migrate/proof/", "rewriters/tables/", "migrate/serving/worker/")
"""Programs of this repository that are not the command."""
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
COMMAND = re.compile(r"(?:^|[ `(:])migrate ((?:[a-z]+)(?: [^\n`;,)&]*)?)")
OTHERS = re.compile(
    r"\buv pip|\bpip install|\bpython -m\b|--index-url|--extra-index-url|--requirement|--constraint|"
    r"\btritonserver\b|--enable-shared|\btrtexec\b|\bbuild_engine\.sh\b"
)
"""Texts about other programs' options."""


def told(folder: str) -> Iterator[tuple[str, str]]:
    """(file:line, text) of each text in the code that is no docstring; what f-strings fill in is a dot."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        if str(path.relative_to(ROOT)).startswith(OWN_OPTIONS):
            continue
        tree = ast.parse(path.read_bytes())
        inner = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
        alone = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if node in alone or (node in inner and not isinstance(node, ast.JoinedStr)):
                continue
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value
            elif isinstance(node, ast.JoinedStr):
                parts = (str(part.value) if isinstance(part, ast.Constant) else "." for part in node.values)
                yield f"{path.relative_to(ROOT)}:{node.lineno}", "".join(parts)


@pytest.fixture(scope="module")
def commands() -> dict[str, set[str]]:
    """Command -> its options."""
    group = typer.main.get_command(app)
    context = group.make_context("migrate", [], resilient_parsing=True)
    found = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        found[name] = {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help"}
    return found


def test_options_that_messages_name(commands: dict[str, set[str]]) -> None:
    known = set().union(*commands.values()) | {"--version"}
    texts = [(place, text) for folder in FOLDERS for place, text in told(folder)]
    said = [(place, text) for place, text in texts if " " in text and not OTHERS.search(text)]
    named = [(place, option, text) for place, text in said for option in OPTION.findall(text)]
    assert len(named) > 50
    assert [one for one in named if one[1] not in known] == []


def test_commands_that_messages_name(commands: dict[str, set[str]]) -> None:
    named = []
    for folder in FOLDERS:
        for place, text in told(folder):
            named += [(place, found) for found in COMMAND.findall(text) if found.split()[0] in commands]
    assert len(named) > 10
    wrong = []
    for place, line in named:
        command, *words = line.split()
        wrong += [(place, line) for option in OPTION.findall(" ".join(words)) if option not in commands[command]]
    assert wrong == []
