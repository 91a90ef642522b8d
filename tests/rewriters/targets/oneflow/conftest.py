"""Scripts that print what they compute, run in torch and, converted, in OneFlow."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from migrate.environments import Interpreter
from rewriters.convert import convert_sources
from rewriters.target import load_target

Printed = dict[str, list[object]]


def printed(python: Interpreter, folder: Path) -> Printed:
    command = [str(python.python), "-W", "ignore", "script.py"]
    ran = subprocess.run(command, cwd=folder, env=python.environ(), capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: Printed = json.loads(ran.stdout.splitlines()[-1])
    return found


def flat(value: object) -> list[float]:
    """The numbers of a nested list."""
    return [part for one in value for part in flat(one)] if isinstance(value, list) else [float(value)]  # type: ignore[arg-type]


@pytest.fixture
def check_printed(
    tmp_path: Path, torch_python: Interpreter, oneflow_python: Interpreter
) -> Callable[[str], dict[str, list[float]]]:
    """``check_printed(script)``: both print the same JSON object of nested lists last; the numbers of each."""

    def check(script: str) -> dict[str, list[float]]:
        done = convert_sources({PurePosixPath("script.py"): script.encode()}, load_target("oneflow"))
        assert not [site.detail for site in done.reports[0].sites if site.outcome == "marked"]
        mine, theirs = tmp_path / "torch", tmp_path / "oneflow"
        for folder in (mine, theirs):
            folder.mkdir()
        (mine / "script.py").write_text(script)
        for path, content in [*done.files.items(), *((path, text.encode()) for path, text in done.helpers.items())]:
            (theirs / path).write_bytes(content)
        expected, found = printed(torch_python, mine), printed(oneflow_python, theirs)
        assert found.keys() == expected.keys()
        for case, values in expected.items():
            assert str(found[case]).count("[") == str(values).count("["), case
            for got, wanted in zip(map(flat, found[case]), map(flat, values), strict=True):
                # rounding is of the largest number that went into a sum
                near = 1e-5 * max((abs(number) for number in wanted if math.isfinite(number)), default=0.0)
                assert got == pytest.approx(wanted, rel=1e-5, abs=max(near, 1e-6), nan_ok=True), case
        return {case: flat(values) for case, values in expected.items()}

    return check
