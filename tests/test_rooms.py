"""The rooms import one way, as pyproject.toml says."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENGINE = ("rewriters", "migrate")
PARSING = "rewriters/text/parsing.py"
IN_FRAMEWORKS = ("checks/worker/", "checks/proof/sampling/")
FILE_LINES, FUNCTION_LINES = 400, 80


def test_contracts_are_kept() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def sources(*folders: str) -> list[Path]:
    """The files of these, but for rules."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "rules" not in path.relative_to(ROOT).parts[3:]]


def test_one_place_makes_syntax_trees() -> None:
    """Two threads must not make them at once. What a framework's interpreter runs has no threads."""
    places = []
    for path in sources(*ENGINE, "checks"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "ast.parse":
                places.append(str(path.relative_to(ROOT)))
    assert {place for place in places if not place.startswith(IN_FRAMEWORKS)} == {PARSING}


def test_files_and_functions_are_small() -> None:
    large = []
    for path in sources(*ENGINE, "checks"):
        name = str(path.relative_to(ROOT))
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > FILE_LINES:
            large.append(name)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES:
                    large.append(f"{name}: {node.name} has {lines} lines")
    assert not large
