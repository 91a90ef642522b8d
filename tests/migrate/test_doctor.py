"""What ``migrate doctor`` reports, with nothing built, with all built, and with something broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate import __version__
from migrate.environments import environment_for, find_interpreter, probe_import
from migrate.environments.build import build

pytest.importorskip("torch")  # what is missing below must be the target alone


def rows(stdout: str) -> dict[str, list[str]]:
    """What was looked for -> the cells of its row."""
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in stdout.splitlines() if line.startswith("│")]
    return {row[1]: row for row in cells}


def test_missing_target_has_its_mend_and_exit_1(empty_home, run_migrate) -> None:
    done = run_migrate("doctor", "--to", "paddle")
    assert done.returncode == 1, done.stderr
    found = rows(done.stdout)
    assert found["paddle"] == ["missing", "paddle", "no interpreter has paddle"]
    assert found["migrate"][2].startswith(__version__)
    assert "oneflow" not in found
    assert done.stdout.splitlines()[-1] == "paddle: migrate env paddle"


def test_without_a_target_each_is_looked_for(empty_home, run_migrate) -> None:
    done = run_migrate("doctor")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-2:] == ["oneflow: migrate env oneflow", "paddle: migrate env paddle"]


def test_present_then_broken_then_mended(toy, empty_home, run_migrate) -> None:
    target = toy()
    python = build(target).python
    done = run_migrate("doctor", "--to", target)
    assert done.returncode == 0, done.stdout + done.stderr
    assert rows(done.stdout)[target] == ["ok", target, f"1.5 in {python} (migrate env)"]

    framework = next(Path(python).parent.parent.glob("lib/python*/site-packages/toyframework/__init__.py"))
    framework.unlink()
    framework.write_text("import libtoy")
    done = run_migrate("doctor", "--to", target)
    assert done.returncode == 1
    assert "No module named 'libtoy'" in done.stdout
    assert done.stdout.splitlines()[-1] == f"{target}: migrate env {target} --rebuild"

    assert run_migrate("env", target, "--rebuild").returncode == 0
    assert probe_import(find_interpreter(target)) == "1.5"


def test_all_there_is_exit_0(torch_python, paddle_python, oneflow_python, run_migrate) -> None:
    done = run_migrate("doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    found = rows(done.stdout)
    assert {row[0] for what, row in found.items() if what in ("torch", "paddle", "oneflow", "libcst", "uv")} == {"ok"}
    for name in ("torch", "paddle", "oneflow"):
        assert environment_for(name).requirements[0].split("==")[1] in found[name][2]
    assert "GB in" in found["cache"][2]
