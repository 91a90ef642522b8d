"""What refusals tell people to use instead is there, in the framework that is installed."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.environments import Interpreter
from rewriters.rules.rulebook import load_rulebook
from rewriters.target import load_target

PROBE = """
import importlib, json, sys
package, names = json.load(sys.stdin)
def is_there(name):
    value = importlib.import_module(package)
    parts = name.split(".")
    for end, part in enumerate(parts[1:], 2):
        if not hasattr(value, part):
            try:
                importlib.import_module(".".join(parts[:end]))
            except ImportError:
                return False
        value = getattr(value, part)
    return True
print(json.dumps([name for name in names if not is_there(name)]))
"""


def said_by_rules(folder: Path) -> list[str]:
    """What rules, passes and notes of a target say where they refuse or mark."""
    found = []
    for path in [*folder.rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_bytes())):
            texts = [*node.args, *(word.value for word in node.keywords)] if isinstance(node, ast.Call) else []
            found += [one.value for one in texts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return [text for text in found if text.count(" ") > 2]


@pytest.mark.parametrize("name", ["paddle", "oneflow"])
def test_names_in_reasons_exist(name: str, python_of: Callable[[str], Interpreter]) -> None:
    target = load_target(name)
    reasons = [*load_rulebook(target.folder).refusals.values(), *said_by_rules(target.folder)]
    named = sorted({found for reason in reasons for found in re.findall(rf"\b{target.package}(?:\.\w+)+", reason)})
    assert len(named) > 10
    interpreter = python_of(name)
    ran = subprocess.run(
        [interpreter.python, "-W", "ignore", "-c", PROBE],
        input=json.dumps([target.package, named]), capture_output=True, text=True, check=True,
        env=interpreter.environ(),
    )  # fmt: skip
    assert json.loads(ran.stdout.splitlines()[-1]) == []
