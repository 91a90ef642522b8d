"""A task's own metric, of torch's model and of an artefact."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
QUICK = ("--size", "batch=2", "--level", "outputs")


def test_both_values_and_their_difference(run_migrate: Run, small: Path, int8: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    done = run_migrate(
        "check", small, int8, *QUICK, "--metric", "small:mean_top", "--metric-tolerance", 0.02, "--json", file
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(file.read_text())["entries"][0]["levels"][-1]
    assert found["name"] == "metric"
    figures = found["figures"]
    assert 0.1 < figures["torch"] < 1.0
    assert 0 < figures["difference"] < 0.02
    assert abs(figures["torch"] - figures["artefact"]) == pytest.approx(figures["difference"])
    assert "over 3 calls" in done.stdout
    more = run_migrate(
        "check", small, int8, *QUICK, "--metric", "small:mean_top(1000.0)", "--metric-tolerance", figures["difference"]
    )
    assert more.returncode == 1, more.stdout + more.stderr
    assert "is accepted" in more.stdout


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("small:shuffled", "asks for other data the second time"),
        ("small:of_fours", "RuntimeError: "),
        ("small:blind", "never calls what it is given, predict"),
        ("accuracy", "--metric accuracy: is no MODULE:CALLABLE"),
    ],
)
def test_a_metric_that_says_nothing(run_migrate: Run, small: Path, int8: Path, metric: str, said: str) -> None:
    done = run_migrate("check", small, int8, *QUICK, "--metric", metric)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert "mend: " in done.stderr


def test_a_metric_is_for_an_exported_model(run_migrate: Run, small: Path) -> None:
    done = run_migrate("check", small, small, "--entry", "small:Small", "--metric", "small:mean_top")
    assert done.returncode == 2
    assert "are for an exported model" in done.stderr
