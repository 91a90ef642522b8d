"""``migrate check --static`` runs graphs of both targets, saves them and loads them back.

The model takes some milliseconds: a graph that is done in no time ends OneFlow's process at times (docs/oneflow.md).
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.environments import Interpreter

MODEL = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(512, 512)
        self.norm = nn.LayerNorm(512)

    def forward(self, x):
        y = self.norm(self.fc(x))
        BRANCH
        return {"y": y, "twice": (y * 2, None)}


def use(x: torch.Tensor):
    return Net()(x)
"""
BRANCH = "if y.sum() > 0:\n            y = y + 1\n        else:\n            y = y - 1"

Run = Callable[..., subprocess.CompletedProcess[str]]


def check(run: Run, folder: Path, target: str, branch: str, *more: object) -> dict[str, dict[str, object]]:
    (folder / "torch").mkdir()
    (folder / "torch" / "net.py").write_text(MODEL.replace("BRANCH", branch))
    done = run("convert", folder / "torch", "--to", target, "--static", "-o", folder / "out")
    assert done.returncode == 0, done.stderr
    report = folder / "report.json"
    run(
        "check", folder / "torch", folder / "out", "--entry", "net:Net", "--input", "float32[256,512]", "--static",
        "--level", "outputs", "--json", report, *more,
    )  # fmt: skip
    levels = json.loads(report.read_text())["entries"][0]["levels"]
    return {level["name"]: level for level in levels}


def test_paddle_holds_control_flow(
    run_migrate: Run, tmp_path: Path, torch_python: Interpreter, paddle_python: Interpreter
) -> None:
    graph = tmp_path / "graph"
    levels = check(run_migrate, tmp_path, "paddle", BRANCH, "--export", graph)
    assert {name: level["verdict"] for name, level in levels.items()} == {
        "outputs": "same", "static": "same", "exported": "same",
    }  # fmt: skip
    assert sorted(path.name for path in graph.iterdir()) == ["model.json", "model.pdiparams"]


def test_oneflow_trains_in_graphs(
    run_migrate: Run, tmp_path: Path, torch_python: Interpreter, oneflow_python: Interpreter
) -> None:
    graph = tmp_path / "graph"
    levels = check(run_migrate, tmp_path, "oneflow", "", "--export", graph, "--train", "3", "--level", "steps")
    assert {name: level["verdict"] for name, level in levels.items()} == {
        "outputs": "same", "steps": "same", "static": "same", "static steps": "same", "exported": "same",
    }  # fmt: skip
    assert (graph / "model.mlir").is_file()


def test_what_oneflow_cannot_hold_fails_with_its_line(
    run_migrate: Run, tmp_path: Path, torch_python: Interpreter, oneflow_python: Interpreter
) -> None:
    levels = check(run_migrate, tmp_path, "oneflow", BRANCH)
    assert levels["outputs"]["verdict"] == "same"
    assert levels["static"]["failure"]["where"].endswith("net.py:14")  # type: ignore[index]
    text = (tmp_path / "out" / "net.py").read_text()
    assert "# migrate: STATIC no graph holds this: `if y.sum() > 0` decides by a tensor's values" in text


@pytest.mark.parametrize("options", [["--export", "graph"], ["--static", "--export", "graph", "--entry", "net:Net"]])
def test_export_wants_an_entry_and_a_new_folder(run_migrate: Run, tmp_path: Path, options: list[str]) -> None:
    place = tmp_path / "graph"
    place.mkdir()
    (place / "model.json").write_text("{}")
    options = [str(place) if part == "graph" else part for part in options]
    done = run_migrate("check", tmp_path, tmp_path, *options)
    assert done.returncode == 2
    assert f"--export {place}: exists" in done.stderr
