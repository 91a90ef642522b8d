"""Benchmarks are run by hand, and seldom: that each still starts is seen here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "benchmarks"
SCRIPTS = sorted(path.name for path in FOLDER.glob("*.py") if "argparse.ArgumentParser" in path.read_text())


@pytest.mark.framework
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_benchmark_starts(script: str) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / script), "--help"], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert script in done.stdout


def test_there_are_some() -> None:
    assert len(SCRIPTS) > 8
