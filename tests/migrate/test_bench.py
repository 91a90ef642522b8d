"""``migrate bench`` measures, and claims nothing inside the noise."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.bench import machine, show
from migrate.bench.session import Measured, Mode, with_batch
from migrate.bench.statistics import Interval, band, interval, verdict
from migrate.environments import Interpreter
from migrate.errors import Unusable

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("float32[2,3,32,32]", "float32[16,3,32,32]"),
        ("tokens=int64[1]<96", "tokens=int64[16]<96"),
        ("0<=float32[2,3]<1", "0<=float32[16,3]<1"),
        ("{'a': float32[2,3], 'b': [int64[2]<5, 2]}", "{'a': float32[16,3], 'b': [int64[16]<5, 2]}"),
    ],
)
def test_a_batch_is_the_first_size_of_each_tensor(spec: str, expected: str) -> None:
    assert with_batch(spec, 16) == expected


def test_a_difference_is_claimed_only_outside_of_the_noise() -> None:
    assert verdict(Interval(1.5, 1.3, 1.7), 1.2) == "1.50x faster"
    assert verdict(Interval(1.5, 1.1, 1.7), 1.2) == "within noise"
    assert verdict(Interval(0.5, 0.4, 0.6), 1.2) == "2.00x slower"
    assert verdict(Interval(0.9, 0.8, 1.1), 1.0) == "within noise"


def test_noise_is_how_far_equal_things_stand_apart() -> None:
    assert band([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]) == 1.0
    assert band([1.0] * 5, [2.0] * 5) == 2.0
    assert band([2.0] * 5, [1.0] * 5) == 2.0


def test_intervals_are_repeatable_and_hold_the_median() -> None:
    values = [1.0, 1.1, 0.9, 1.3, 1.05, 0.95]
    found = interval(values)
    assert found == interval(values)
    assert found.low <= found.median <= found.high


@pytest.mark.parametrize("more", [[], ["--train"]])
def test_both_sides_are_measured(
    more: list[str], run_migrate: Run, tmp_path: Path, torch_python: Interpreter, oneflow_python: Interpreter
) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "net.py").write_text(NET)
    run_migrate("convert", tmp_path / "torch", "--to", "oneflow", "-o", tmp_path / "out")
    done = run_migrate(
        "bench", tmp_path / "torch", tmp_path / "out", "--entry", "net:Net", "--input", "float32[1,4]", "--batch", "2",
        "--rounds", "3", "--seconds", "0.01", "--no-compile", "--amp", "--json", tmp_path / "found.json", *more,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    modes = {mode["title"]: mode for mode in found["modes"]}
    assert set(modes) == {"torch eager", "OneFlow eager", "OneFlow static", "torch autocast", "OneFlow amp"}
    for title in ("torch eager", "OneFlow eager", "OneFlow static"):
        assert len(modes[title]["seconds"]) == 3
        assert modes[title]["median"] > 0
        assert modes[title]["ratio_interval"][0] <= modes[title]["ratio"] <= modes[title]["ratio_interval"][1]
    assert "for CUDA" in modes["OneFlow amp"]["not_measured"]
    assert found["machine"]["cpu"]
    assert found["versions"]["target"]["framework"].startswith("0.9")
    assert "OneFlow amp, batch 2 was not measured: " in done.stdout
    assert "noise at batch 2" in done.stdout


@pytest.mark.parametrize(("batch", "message"), [("1,x", "not a list of sizes"), ("0", "not a list of sizes")])
def test_wrong_batches_are_refused(batch: str, message: str, run_migrate: Run, tmp_path: Path) -> None:
    done = run_migrate("bench", tmp_path, tmp_path, "--entry", "a:b", "--input", "float32[1]", "--batch", batch)
    assert done.returncode == 2
    assert message in done.stderr


def measured() -> Measured:
    modes = [
        Mode("torch", "eager", "torch eager", 2, [1.0, 1.1, 1.2], ratio=Interval(1.0, 1.0, 1.0)),
        Mode(
            "target", "eager", "OneFlow eager", 2, [0.5, 0.6, 0.7], ratio=Interval(2.0, 1.9, 2.1), verdict="2x faster"
        ),
        Mode("target", "amp", "OneFlow amp", 2, why="for CUDA"),
    ]
    versions = {"torch": {"framework": "2", "python": "3", "numpy": "2", "title": "torch"}}
    return Measured(modes, {2: 1.05}, versions, 2)


def test_a_plot_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    show.plot(measured(), machine.describe(2), "net:Net", tmp_path / "found.png")
    assert (tmp_path / "found.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_without_matplotlib_is_refused_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(Unusable) as found:
        show.need_matplotlib()
    assert "torch-migrate[plot]" in found.value.mend
