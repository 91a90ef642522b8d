"""What runs in a framework's interpreter can: in Python 3.8's grammar, with numpy and nothing else."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import checks.worker
from migrate.environments import Interpreter

WORKER = Path(checks.worker.__file__).parent
FILES = sorted(WORKER.rglob("*.py"))
NAMES = [".".join(("worker", *path.relative_to(WORKER).with_suffix("").parts)) for path in FILES]

# Run there: prints the modules that could be imported while everything but the standard library and numpy is refused.
IMPORT = """
import importlib, importlib.util, json, sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "numpy", "_migrate_checks"}:
            raise ImportError(name + " is refused")

spec = importlib.util.spec_from_file_location("start", sys.argv[1])
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)
start.provide()
sys.meta_path.insert(0, Refused())
for name in sys.argv[2:]:
    importlib.import_module(start.NAME + "." + name)
    print(json.dumps(name))
"""


def run_at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes below, without the bodies of functions and without annotations, which nothing evaluates."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns") or (field == "body" and isinstance(tree, (ast.FunctionDef, ast.Lambda))):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST):
                yield node
                yield from run_at_import(node)


def foreign(tree: ast.AST, depth: int) -> Iterator[str]:
    """What is imported at module level and neither Python's, numpy's nor the worker's own."""
    for node in run_at_import(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            names = ["." * node.level] if node.level > depth else []
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            if name.partition(".")[0] not in {*sys.stdlib_module_names, "numpy"}:
                yield name


def later(tree: ast.AST) -> Iterator[str]:
    """What Python 3.8 parses and cannot evaluate."""
    for node in run_at_import(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            if node.value.id in ("dict", "frozenset", "list", "set", "tuple", "type"):
                yield ast.unparse(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            yield ast.unparse(node)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("removeprefix", "removesuffix"):
            yield node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "zip" and node.keywords:
            yield ast.unparse(node)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_files_are_of_python_3_8_and_need_numpy_alone(path: Path) -> None:
    tree = ast.parse(path.read_bytes(), str(path), feature_version=(3, 8))
    compile(tree, str(path), "exec")
    assert list(foreign(tree, len(path.relative_to(WORKER).parts))) == []
    assert list(later(tree)) == []


@pytest.mark.parametrize(
    ("text", "depth", "told"),
    [
        ("import torch", 1, ["torch"]),
        ("from rewriters.target import Target", 1, ["rewriters.target"]),
        ("try:\n    import oneflow.nn\nexcept ImportError:\n    pass", 1, ["oneflow.nn"]),
        ("from ..parity import floor", 1, [".."]),
        ("from .. import arrays", 2, []),
        ("def late():\n    import torch", 1, []),
        ("import json, numpy.linalg", 1, []),
    ],
)
def test_other_imports_are_told(text: str, depth: int, told: list[str]) -> None:
    assert list(foreign(ast.parse(text), depth)) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Names = dict[str, int]", ["dict[str, int]"]),
        ("names: dict[str, int] = {}", []),
        ("def cut(name: str | None) -> list[str]:\n    return name.removeprefix('a')", ["removeprefix"]),
        ("zip(a, b, strict=True)", ["zip(a, b, strict=True)"]),
    ],
)
def test_what_came_after_python_3_8_is_told(text: str, told: list[str]) -> None:
    assert list(later(ast.parse(text))) == told


def test_all_of_it_is_imported_in_the_interpreter_of_oneflow(oneflow_python: Interpreter) -> None:
    command = [str(oneflow_python.python), "-c", IMPORT, str(WORKER / "start.py"), *NAMES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == NAMES
