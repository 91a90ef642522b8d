"""``--format tensorrt``: the model, what builds the engine where a GPU is, and what is known without one."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.backends import WORKER
from migrate.environments import Interpreter

Run = Callable[..., subprocess.CompletedProcess[str]]

MODEL = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.pool = nn.MaxPool2d(2, dilation=2)

    def forward(self, x, scale):
        return self.pool(self.conv(x)) * scale, torch.det(x[:, 0, :3, :3])
"""

FINDINGS = """\
import json, sys
sys.path.insert(0, sys.argv[1])
import onnx, to_tensorrt
from onnx import TensorProto, helper

value = helper.make_tensor_value_info
graph = helper.make_graph(
    [
        helper.make_node("Unique", ["x"], ["once"]),
        helper.make_node("Relu", ["x"], ["y"]),
        helper.make_node("Relu", ["d"], ["e"]),
        helper.make_node("Sin", ["i"], ["j"]),
        helper.make_node("ReduceSum", ["x", "axes"], ["z"]),
        helper.make_node("Cast", ["i"], ["k"], to=TensorProto.FLOAT),
    ],
    "g",
    [value("x", 1, [2, 2]), value("d", 11, [2]), value("i", 7, [2]), value("axes", 7, [1])],
    [value("y", 1, [2, 2])],
)
with open(to_tensorrt.TABLE) as file:
    table = json.load(file)
for opset in (17, 23):
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    print(json.dumps(to_tensorrt.findings(model, table)))
"""


def test_the_model_and_what_builds_its_engine(
    run_migrate: Run, tmp_path: Path, torch_python: Interpreter, onnxruntime_python: Interpreter
) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "net.py").write_text(MODEL)
    out = tmp_path / "engine"
    done = run_migrate(
        "export", tmp_path / "torch", "--to", "torch", "--entry", "net:Net", "--input", "float32[batch,3,12,12]",
        "--input", "float32[4,1,1]", "--size", "batch=4", "--seed", "0", "--format", "tensorrt", "-o", out,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "not in TensorRT 10.0's table of operators: MaxPool: dilated" in done.stdout
    assert "Det: is not in the table" in done.stdout
    # What stands for trtexec says what it was called with.
    (tmp_path / "bin").mkdir()
    told = tmp_path / "bin" / "trtexec"
    told.write_text('#!/bin/sh\npwd\nfor word in "$@"; do echo "$word"; done\n')
    told.chmod(0o755)
    environ = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "batch_max": "64"}
    built = subprocess.run(
        ["sh", out / "build_engine.sh", "--fp16"], env=environ, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert built.stdout.splitlines() == [
        str(out), "--onnx=model.onnx", "--saveEngine=model.plan", "--timingCacheFile=timing.cache", "--skipInference",
        "--minShapes=x:1x3x12x12", "--optShapes=x:4x3x12x12", "--maxShapes=x:64x3x12x12", "--fp16",
    ]  # fmt: skip
    checked = run_migrate("check", tmp_path / "torch", out, "--backend", "onnxruntime")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    refused = run_migrate("check", tmp_path / "torch", out)
    assert refused.returncode == 2
    assert "--backend onnxruntime compares the model.onnx" in refused.stderr


@pytest.mark.parametrize("precision", ["float16", "int8"])
def test_its_precision_is_the_builders(run_migrate: Run, tmp_path: Path, precision: str) -> None:
    done = run_migrate(
        "export", tmp_path, "--to", "torch", "--entry", "net:Net", "--input", "float32[2]", "--format", "tensorrt",
        "--precision", precision, "-o", tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 2
    assert "sh build_engine.sh --fp16" in done.stderr


def test_what_the_table_lacks(tmp_path: Path, onnxruntime_python: Interpreter) -> None:
    done = subprocess.run(
        [onnxruntime_python.python, "-c", FINDINGS, WORKER], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    first, later = map(json.loads, done.stdout.splitlines())
    assert first == [
        "Unique: is not in the table",
        "Relu: of float64, which it computes in float32",
        "Sin: of int64",
        "ReduceSum: whose second input is computed",
    ]
    assert later == ["opset 23: it reads 9 to 20; export with --opset 20", *first]
