"""Weights of more than an ONNX file holds lie in a file beside it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from migrate.cli import app
from migrate.environments import Interpreter
from migrate.export import making

Run = Callable[..., subprocess.CompletedProcess[str]]

MODEL = """\
import torch
from torch import nn


class Wide(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(300, 200)
        self.fc = nn.Linear(200, 200)
        self.conv = nn.Conv1d(200, 64, 3, padding=1)

    def forward(self, x):
        return self.conv(torch.tanh(self.fc(self.table(x))).transpose(1, 2))
"""


def test_weights_beside_the_model(
    run_migrate: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    torch_python: Interpreter,
    paddle_python: Interpreter,
    onnxruntime_python: Interpreter,
) -> None:
    source, project, out = tmp_path / "torch", tmp_path / "paddle", tmp_path / "onnx"
    source.mkdir()
    (source / "net.py").write_text(MODEL)
    assert run_migrate("convert", source, "--to", "paddle", "-o", project).returncode == 0
    monkeypatch.setattr(making, "LARGEST", 100_000)  # as if protobuf held no more
    done = CliRunner().invoke(
        app,
        ["export", str(project), "--source", str(source), "--entry", "net:Wide", "--input", "x=int64[batch,7]<300",
         "--seed", "1", "--format", "onnx", "-o", str(out)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert json.loads((out / "export.json").read_text())["files"].keys() == {"model.onnx", "model.onnx.data"}
    assert (out / "model.onnx").stat().st_size < 100_000 < (out / "model.onnx.data").stat().st_size
    checked = run_migrate("check", source, out, "--backend", "onnxruntime")
    assert checked.returncode == 0, checked.stdout + checked.stderr
