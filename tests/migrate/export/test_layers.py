"""Tensors inside an artefact, beside what torch's layers return."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.environments import Interpreter

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def named(tmp_path_factory: pytest.TempPathFactory, export: Run, onnxruntime_python: Interpreter) -> Path:
    """The model in float32, as ONNX that says which tensors are what layers return; not to be changed."""
    out = tmp_path_factory.mktemp("exported") / "named"
    done = export(out, "--layers")
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.parametrize("backend", ["onnxruntime", "openvino"])
def test_layers_agree(
    run_migrate: Run, small: Path, named: Path, tmp_path: Path, openvino_python: Interpreter, backend: str
) -> None:
    told = json.loads((named / "export.json").read_text())["layers"]
    assert {"bn", "blocks.0", "blocks.0.relu#2", "blocks.1.conv2", "fc"} <= set(told)
    assert "stem" not in told, "folded into what follows"
    done = run_migrate(
        "check", small, named, "--backend", backend, "--size", "batch=3", "--level", "activations", "--json",
        tmp_path / "report.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    level = json.loads((tmp_path / "report.json").read_text())["entries"][0]["levels"][0]
    assert {row["name"] for row in level["rows"]} == {name for name in told if name != "blocks"}
    assert all(row["ratio"] is not None for row in level["rows"])
    assert "stem" in level["lines"][0]


def test_a_layer_that_is_another_differs(
    run_migrate: Run, small: Path, named: Path, tmp_path: Path, onnxruntime_python: Interpreter
) -> None:
    wrong = tmp_path / "wrong"
    code = (
        "import onnx, shutil, sys, json, hashlib\n"
        "from onnx import numpy_helper\n"
        "shutil.copytree(sys.argv[1], sys.argv[2])\n"
        "model = onnx.load(sys.argv[2] + '/model.onnx')\n"
        "node = [node for node in model.graph.node if node.op_type == 'Conv'][2]\n"
        "held = next(item for item in model.graph.initializer if item.name == node.input[1])\n"
        "array = numpy_helper.to_array(held)\n"
        "held.CopyFrom(numpy_helper.from_array(array * array.dtype.type(1.01), held.name))\n"
        "onnx.save(model, sys.argv[2] + '/model.onnx')\n"
        "told = json.load(open(sys.argv[2] + '/export.json'))\n"
        "told['files']['model.onnx'] = hashlib.sha256(open(sys.argv[2] + '/model.onnx', 'rb').read()).hexdigest()\n"
        "json.dump(told, open(sys.argv[2] + '/export.json', 'w'))\n"
    )
    subprocess.run([onnxruntime_python.python, "-c", code, named, wrong], check=True)
    done = run_migrate(
        "check", small, wrong, "--size", "batch=2", "--level", "activations", "--json", tmp_path / "report.json"
    )
    assert done.returncode == 1, done.stdout + done.stderr
    rows = json.loads((tmp_path / "report.json").read_text())["entries"][0]["levels"][0]["rows"]
    assert next(row["name"] for row in rows if row["verdict"] == "differs") == "blocks.0.conv2"


def test_what_is_not_known_is_said(run_migrate: Run, small: Path, int8: Path) -> None:
    done = run_migrate("check", small, int8, "--level", "activations")
    assert done.returncode == 2
    assert "does not say which tensors" in done.stderr
    assert "--layers" in done.stderr
    other = run_migrate("check", small, int8, "--level", "steps")
    assert other.returncode == 2
    assert "its levels are outputs, sensitivity" in other.stderr
