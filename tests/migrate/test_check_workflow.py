"""The workflow that the README points to runs commands that exist."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import typer.models

WORKFLOW = Path(__file__).parents[2] / "docs" / "parity-workflow.yml"


def test_its_commands_exist():
    lines = re.findall(r"^ *- run: (.*)$", WORKFLOW.read_text(), re.MULTILINE)
    calls = [call.split() for line in lines for call in line.split(" && ") if call.startswith("migrate ")]
    assert [call[1] for call in calls] == ["env", "env", "convert", "check"]
    for call in calls:
        command = importlib.import_module(f"migrate.commands.{call[1]}").command
        known = {f"--{name.replace('_', '-')}" for name in inspect.signature(command).parameters}
        for parameter in inspect.signature(command, eval_str=True).parameters.values():
            for about in (parameter.default, *getattr(parameter.annotation, "__metadata__", ())):
                if isinstance(about, typer.models.OptionInfo):
                    declared = (about.default, *(about.param_decls or ()))
                    known |= {name for name in declared if isinstance(name, str)}
        for word in call[2:]:
            assert not word.startswith("-") or word in known, (word, known)
