"""A key that is written as torch's attribute is one: a rule for a name that torch does not have would never answer."""

from __future__ import annotations

import ast
import json
import subprocess
from pathlib import Path

import pytest

import rewriters
from rewriters.rules.rule_file import RuleFile, dotted
from rewriters.rules.rulebook import rule_files

pytestmark = pytest.mark.framework

TARGETS = [folder.parent for folder in sorted(Path(rewriters.__file__).parent.glob("targets/*/rules"))]
DECLARATIONS = {"rule", "alias", "note"}
ASK = """
import importlib, json, sys
missing = []
for name in json.load(sys.stdin):
    parts = name.split(".")
    held = importlib.import_module("torch")
    for number, part in enumerate(parts[1:], 2):
        if not hasattr(held, part):
            try:
                importlib.import_module(".".join(parts[:number]))
            except ImportError:
                missing.append(name)
                break
        held = getattr(held, part)
print(json.dumps(missing))
"""


def attributes(file: RuleFile) -> set[str]:
    """The keys of a file that are written as attributes of torch."""
    calls: list[ast.expr] = []
    for statement in file.statements:
        calls += statement.decorators
        if isinstance(statement.node, ast.Expr):
            calls.append(statement.node.value)
    keys = (
        key for call in calls if isinstance(call, ast.Call) and dotted(call.func) in DECLARATIONS for key in call.args
    )
    return {name for key in keys if isinstance(key, ast.Attribute) and (name := dotted(key) or "").startswith("torch.")}


@pytest.mark.parametrize("target", TARGETS, ids=lambda folder: folder.name)
def test_torch_has_them(target: Path, torch_python) -> None:
    names = sorted(set().union(*map(attributes, rule_files(target))))
    assert len(names) > 500
    asked = subprocess.run(
        [str(torch_python.python), "-W", "ignore", "-c", ASK], input=json.dumps(names),
        capture_output=True, text=True, env=torch_python.environ(), check=True,
    )  # fmt: skip
    assert json.loads(asked.stdout.strip().splitlines()[-1]) == []
