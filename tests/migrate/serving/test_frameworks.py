"""The framework's own model in Triton's Python back end: Paddle Inference, and OneFlow's graphs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from migrate.environments import Interpreter
from tests.migrate.serving.conftest import Run


@pytest.mark.parametrize(("target", "format"), [("paddle", "native"), ("oneflow", "project")])
def test_a_framework_serves_its_own(
    target: str, format: str, project: Path, run_migrate: Run, tmp_path: Path, torch_python: Interpreter,
    paddle_python: Interpreter, oneflow_python: Interpreter, triton_python: Interpreter,
) -> None:  # fmt: skip
    done = run_migrate("convert", project, "--to", target, "-o", tmp_path / "converted")
    assert done.returncode == 0, done.stderr
    done = run_migrate(
        "export", tmp_path / "converted", "--source", project, "--seed", 0, "--entry", "net:Bag", "--input",
        "int64[batch,time]<10", "--size", "time=3", "--format", "triton", "--engine", "native", "-o", tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"served as Bag by python ({target}); batches of 8 at most" in done.stdout
    told = json.loads((tmp_path / "out" / "export.json").read_text())
    assert told["serving"]["format"] == format
    assert [item["shape"] for item in told["outputs"]] == [[None, 3], [None], [None]]
    done = run_migrate("check", project, tmp_path / "out", "--size", "batch=1,5", "--size", "time=2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 comparisons agree with torch" in done.stdout


def test_oneflow_has_no_onnx_and_no_other_sizes(
    project: Path, run_migrate: Run, tmp_path: Path, torch_python: Interpreter, oneflow_python: Interpreter
) -> None:
    done = run_migrate("convert", project, "--to", "oneflow", "-o", tmp_path / "converted")
    assert done.returncode == 0, done.stderr
    options = ("--source", project, "--seed", 0, "--entry", "net:Centred", "-o", tmp_path / "out")
    done = run_migrate("export", tmp_path / "converted", *options, "--input", "float32[batch,4]", "--format", "triton")
    assert done.returncode == 2
    assert "OneFlow to onnx: no road is built" in done.stderr
    done = run_migrate(
        "export", tmp_path / "converted", *options, "--input", "float32[2,width]", "--size", "width=4", "--format",
        "project",
    )  # fmt: skip
    assert done.returncode == 2
    assert "the model does not take x [2, 5]" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["converted"]
