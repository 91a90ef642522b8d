"""``migrate bench --leftovers``: what a model computes without need is found, by its line, and tried."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checks.parity.inputs import draw, parse_all
from migrate.bench.leftovers import Finding, Tried, tried
from migrate.bench.show_leftovers import change, outcome
from migrate.environments import Interpreter

MODEL = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k = nn.Linear(8, 8), nn.Linear(8, 8)
        self.mix = nn.Parameter(torch.randn(16, 16))
        self.heads = nn.ModuleList(nn.Linear(8, 4) for _ in range(5))
        self.blocks = nn.ModuleList(nn.Linear(20, 20) for _ in range(4))
        self.norm = nn.BatchNorm1d(20)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        lost = torch.softmax(x @ x.transpose(1, 2), -1)
        both = self.mix @ self.mix
        q = self.q(x)
        y = self.k(x) * q + self.q(x)
        y = y.transpose(1, 2).contiguous().transpose(1, 2)
        y = y.double().float()
        y = y.half().float()
        y = torch.cat([torch.tanh(head(y)) for head in self.heads], -1)
        for block in self.blocks:
            y = torch.relu(block(y))
        self.calls += 1
        noise = torch.rand(3) * 0
        return self.norm(both @ y.transpose(1, 2).transpose(1, 2).flatten(1)[:16, :20]), noise


class Normed(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.layers = nn.ModuleList(norm(nn.Conv1d(4, 4, 1)) for _ in range(3))

    def forward(self, x):
        return torch.stack([layer(x) for layer in self.layers])


def branching(x):
    return x * 2 + torch.sin(x) if x.sum() > THRESHOLD else x.cos()
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


def look(run: Run, folder: Path, entry: str, spec: str, threshold: float = 0.0) -> dict[str, Any]:
    """The report of one run, every finding in it."""
    (folder / "net.py").write_text(f"{MODEL}\n\nTHRESHOLD = {threshold!r}\n")
    done = run(
        "bench", folder, "--entry", entry, "--input", spec, "--leftovers", "--least", "0", "--rounds", "3",
        "--seconds", "0.01", "--json", folder / "found.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {**json.loads((folder / "found.json").read_text()), "text": done.stdout}


def test_each_kind_is_found_at_its_line_and_no_other(
    run_migrate: Run, tmp_path: Path, torch_python: Interpreter
) -> None:
    found = look(run_migrate, tmp_path, "net:Net", "float32[16,3,8]")
    lines = MODEL.splitlines()

    def of(kind: str) -> dict[str, dict[str, Any]]:
        rows = [row for row in found["findings"] if row["kind"] == kind]
        return {lines[place["line"] - 1].strip(): row for row in rows for place in row["places"]}

    assert list(of("unused")) == ["lost = torch.softmax(x @ x.transpose(1, 2), -1)"]
    assert list(of("constant")) == ["both = self.mix @ self.mix"]
    again = of("repeated")["y = self.k(x) * q + self.q(x)"]
    assert again["same_as"]["text"] == "q = self.q(x)"
    undone = of("undone")
    assert undone["y = y.transpose(1, 2).contiguous().transpose(1, 2)"]["said"] == {"how": "transposed"}
    assert undone["y = y.double().float()"]["tried"]["apart"] == 0
    assert not undone["y = y.half().float()"]["tried"]["same"], "half precision rounds"
    loops = of("loop")
    head = "y = torch.cat([torch.tanh(head(y)) for head in self.heads], -1)"
    assert loops[head]["said"]["turns"] == 5
    assert "y = torch.relu(block(y))" not in loops, "each block takes what the one before gave"
    others = [row for row in found["findings"] if "y.half()" not in row["places"][0]["text"]]
    assert all(row["tried"]["same"] and not row["tried"]["failed"] for row in others)
    assert found["together"]["same"]
    assert not found["baked"]
    assert f"net.py:{lines.index('        both = self.mix @ self.mix') + 1}" in found["text"]
    assert "CHANGES the results" in found["text"]


@pytest.mark.parametrize(
    ("norm", "advice"),
    [
        ("nn.utils.weight_norm", "torch.nn.utils.remove_weight_norm(layer)"),
        ("nn.utils.parametrizations.weight_norm", "torch.nn.utils.parametrize.remove_parametrizations(layer, name)"),
    ],
)
def test_weights_that_are_computed_in_each_call_are_named_with_what_ends_that(
    norm: str, advice: str, run_migrate: Run, tmp_path: Path, torch_python: Interpreter
) -> None:
    found = look(run_migrate, tmp_path, f"net:Normed({norm})", "float32[2,4,6]")
    constant = [row for row in found["findings"] if row["kind"] == "constant"]
    assert constant, found["text"]
    assert all(row["tried"]["same"] and not row["tried"]["failed"] for row in found["findings"])
    assert advice in found["text"]


def test_control_flow_that_hangs_on_values_is_said(run_migrate: Run, tmp_path: Path, torch_python: Interpreter) -> None:
    first, second = (float(draw(parse_all(["float32[1]"]), seed).arrays["0"][0]) for seed in (0, 1))
    found = look(run_migrate, tmp_path, "net:branching", "float32[1]", (first + second) / 2)
    again = look(run_migrate, tmp_path, "net:branching", "float32[1]", min(first, second) - 1)
    assert (found["baked"], again["baked"]) == (True, False)
    assert "hangs on the inputs' values" in found["text"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--train", "--leftovers"], "leave CONVERTED, --train"),
        ([], "name its folder, or give --leftovers"),
        (["--leftovers", "--entry", "net:Nothing"], "net:Nothing is not there"),
    ],
)
def test_what_cannot_be_looked_at_is_refused(
    arguments: list[str], said: str, run_migrate: Run, tmp_path: Path, torch_python: Interpreter
) -> None:
    (tmp_path / "net.py").write_text(MODEL)
    done = run_migrate("bench", tmp_path, "--entry", "net:Net", "--input", "float32[16,3,8]", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_nothing_inside_the_noise_is_a_gain() -> None:
    noisy = {"same": True, "apart": 0.0, "base": [1.0, 2.0, 1.0], "again": [2.0, 1.0, 2.0], "samples": [1.0, 1.0, 1.0]}
    assert tried(noisy).verdict == "within noise"
    quick = {**noisy, "base": [2.0] * 3, "again": [2.0] * 3}
    assert tried(quick).verdict == "2.00x faster"
    assert outcome(Tried(failed="RuntimeError: no rule")) == "not tried: RuntimeError: no rule"


def test_what_a_loop_repeats_is_moved_out_of_it() -> None:
    place = {"file": "net.py", "line": 3, "text": "y = f(mask)", "times": 3, "operations": {}}
    assert "before the loop" in change(Finding("repeated", 0.1, [place], dict(place), {}, Tried()))
    assert "net.py:2" in change(Finding("repeated", 0.1, [place], {**place, "line": 2}, {}, Tried()))
