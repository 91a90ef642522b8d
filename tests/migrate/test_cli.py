"""The console script: help, version, errors, and that it starts without a framework."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import migrate
from migrate.cli import command_names
from migrate.convert.settings import DEFAULT_TARGET

SCRIPT = Path(sys.executable).parent / "migrate"
FRAMEWORKS = ("torch", "paddle", "oneflow")
GPT = Path(__file__).parents[2] / "fixtures" / "gpt"

# Loaded by Python before anything else: the frameworks are as if they were not installed.
BLOCKED = f"""
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {FRAMEWORKS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, NotInstalled())
"""


@pytest.fixture
def script(tmp_path):
    """Run the console script where no framework can be imported; what Python imported, besides its output."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(BLOCKED)

    def run(*arguments):
        variables = {"PYTHONPATH": str(tmp_path / "site"), "COLUMNS": "200", "PYTHONPROFILEIMPORTTIME": "1"}
        done = subprocess.run(
            [SCRIPT, *map(str, arguments)],
            env={**os.environ, **variables},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        lines = done.stderr.splitlines(keepends=True)
        profile = [line for line in lines if line.startswith("import time:")]
        imported = {line.rpartition("|")[2].strip() for line in profile}
        assert "sitecustomize" in imported
        assert not [name for name in imported if name.partition(".")[0] in FRAMEWORKS]
        done.stderr = "".join(line for line in lines if not line.startswith("import time:"))
        return done, imported

    return run


def test_the_block_is_one(tmp_path):
    """A framework that is there cannot be imported under it, or the other tests would show nothing."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKED)
    (tmp_path / "torch.py").write_text("")
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", "import torch"], env=variables, capture_output=True, text=True)
    assert "No module named 'torch'" in done.stderr


def test_version(script):
    done, imported = script("--version")
    assert (done.returncode, done.stdout) == (0, f"migrate {migrate.__version__}\n")
    assert not [name for name in imported if name.startswith(("migrate.commands.", "libcst", "numpy"))]


def test_help(script):
    done, imported = script("--help")
    assert done.returncode == 0, done.stderr
    for name in command_names():
        assert f" {name} " in done.stdout
    places = [done.stdout.index(f"│ {name} ") for name in ("convert", "weights", "check", "doctor", "env")]
    assert places == sorted(places)
    assert script()[0].stdout.strip() == done.stdout.strip()
    assert not [name for name in imported if name.startswith(("migrate.commands.", "libcst", "numpy"))]


@pytest.mark.parametrize("command", command_names())
def test_help_of_a_command(script, command):
    done, _ = script(command, "--help")
    assert done.returncode == 0, done.stderr
    assert f"Usage: migrate {command} " in done.stdout


def test_help_names_the_default_target(script):
    done, _ = script("convert", "--help")
    text = " ".join(word for word in done.stdout.split() if word != "│")
    assert f"[tool.migrate] says, else {DEFAULT_TARGET} (it installs everywhere)" in text
    assert DEFAULT_TARGET == "paddle"


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_converting_needs_no_framework(script, tmp_path, target):
    done, _ = script("convert", GPT, "--to", target, "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "6 converted, 0 unchanged, 0 failed" in done.stderr
    assert (tmp_path / "out" / "model.py").is_file()


@pytest.mark.parametrize("command", ["convrt", "cli", "__init__", ".."])
def test_unknown_command(script, command):
    done, _ = script(command)
    assert done.returncode == 2
    assert "No such command" in done.stderr


def test_unusable_input_is_two_lines(script):
    done, _ = script("convert", "none")
    assert done.returncode == 2
    mend = "  mend: give a .py file, a notebook, or the folder of a project\n"
    assert done.stderr == f"migrate: none: no such file or folder\n{mend}"


def test_module_and_script_are_the_same(script, run_migrate):
    assert run_migrate("--version").stdout == script("--version")[0].stdout
