"""``migrate export`` writes what other programs run, and nothing where it cannot."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from migrate.environments import Interpreter

from .conftest import NET

Run = Callable[..., subprocess.CompletedProcess[str]]


def manifest_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "export.json").read_text())
    return found


def run_onnx(interpreter: Interpreter, folder: Path, shape: str) -> list[list[int]]:
    """Shapes of what ONNX Runtime makes of the model, called by the names of the manifest."""
    code = (
        "import json, numpy, onnxruntime, sys\n"
        "session = onnxruntime.InferenceSession(sys.argv[1] + '/model.onnx')\n"
        "names = [item['name'] for item in json.load(open(sys.argv[1] + '/export.json'))['outputs']]\n"
        f"given = {{'x': numpy.ones({shape}, 'float32'), 'scale': numpy.ones(3, 'float32')}}\n"
        "print(json.dumps([list(value.shape) for value in session.run(names, given)]))\n"
    )
    done = subprocess.run([interpreter.python, "-c", code, folder], capture_output=True, text=True, check=True)
    found: list[list[int]] = json.loads(done.stdout)
    return found


def test_paddle_to_onnx_and_openvino(
    run_migrate: Run,
    models: Path,
    net_onnx: Path,
    tmp_path: Path,
    onnxruntime_python: Interpreter,
    openvino_python: Interpreter,
) -> None:
    out = net_onnx
    told = manifest_of(out)
    assert [(item["name"], item["shape"]) for item in told["inputs"]] == [("x", ["batch", "time", 4]), ("scale", [3])]
    assert [(item["name"], item["dtype"]) for item in told["outputs"]] == [
        ("y", "float32"), ("x_out", "float32"), ("more_0", "float32"),
    ]  # fmt: skip
    assert told["weights"]["of"] == "torch"
    assert told["opset"] == 17
    assert sorted(path.name for path in out.iterdir()) == ["export.json", "model.onnx"]
    assert run_onnx(onnxruntime_python, out, "(7, 9, 4)") == [[7, 9, 3], [7, 9, 3], []]
    again = run_migrate(
        "export", models / "paddle", *NET, "--weights", models / "net.pdparams", "--format", "openvino", "-o",
        tmp_path / "openvino",
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    assert sorted(manifest_of(tmp_path / "openvino")["files"]) == ["model.bin", "model.xml"]


def test_torch_in_its_own_formats(
    run_migrate: Run, models: Path, tmp_path: Path, onnxruntime_python: Interpreter
) -> None:
    given = ("export", models / "torch", "--to", "torch", *NET, "--weights", models / "net.pt")
    for format in ("native", "onnx"):
        done = run_migrate(*given, "--format", format, "-o", tmp_path / format)
        assert done.returncode == 0, done.stderr
    assert manifest_of(tmp_path / "native")["outputs"][0]["shape"] == [None, None, 3]
    x = torch.ones(3, 8, 4)
    y, _, total = torch.export.load(tmp_path / "native" / "model.pt2").module()(x, torch.ones(3))
    assert (y.shape, total.shape) == ((3, 8, 3), ())
    assert run_onnx(onnxruntime_python, tmp_path / "onnx", "(3, 8, 4)") == [[3, 8, 3], [3, 8, 3], []]


def test_an_operator_without_onnx_is_named_with_its_line(
    run_migrate: Run, models: Path, tmp_path: Path, paddle_python: Interpreter, paddle2onnx_python: Interpreter
) -> None:
    done = run_migrate(
        "export", models / "paddle", "--entry", "net:Ranked", "--input", "float32[batch,4]", "--source",
        models / "torch", "--weights", models / "ranked.pt", "-o", tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 2
    source = (models / "paddle" / "net.py").read_text().splitlines()
    line = next(number for number, text in enumerate(source, 1) if "kthvalue" in text)
    assert "knows no onnx of pd_op.kthvalue, first called in Ranked at" in done.stderr
    assert f"{models}/paddle/net.py:{line}" in done.stderr
    assert not list(tmp_path.iterdir())


def test_code_that_paddle_cannot_trace_is_named(
    run_migrate: Run, models: Path, tmp_path: Path, paddle_python: Interpreter
) -> None:
    done = run_migrate(
        "export", models / "paddle", "--entry", "net:Searching", "--input", "float32[batch,4]", "--source",
        models / "torch", "--weights", models / "ranked.pt", "--format", "native", "-o", tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 2
    source = (models / "paddle" / "net.py").read_text().splitlines()
    where = f"{models}/paddle/net.py:{source.index('    raise ValueError') + 1}"
    assert f"PaddlePaddle does not export the model at {where}" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--weights", "net.pt"), "is no checkpoint of the framework's own"),
        (("--seed", "0"), "seeded weights are torch's"),
        ((), "an exported model has weights"),
        (("--weights", "net.pdparams", "--size", "width=3"), "no axis is called 'width'; the inputs name batch, time"),
        (("--weights", "net.pdparams", "--format", "coreml"), "no road leads to the format 'coreml'"),
        (("--weights", "net.pdparams", "--format", "native", "--opset", "17"), "--opset is ONNX's"),
        (("--weights", "absent.pdparams"), "absent.pdparams does not exist"),
        (("--weights", "net.pt", "--source", ".", "--to", "torch"), "--source is for a converted project"),
    ],
)
def test_bad_options_end_in_an_error_and_leave_nothing(
    run_migrate: Run, models: Path, tmp_path: Path, paddle_python: Interpreter, paddle2onnx_python: Interpreter,
    onnxruntime_python: Interpreter, more: tuple[str, ...], said: str,
) -> None:  # fmt: skip
    given = [str(models / text) if "." in text else text for text in more]
    done = run_migrate("export", models / "paddle", *NET, *given, "-o", tmp_path / "out")
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_back_end_that_is_not_built_is_told_at_once(
    run_migrate: Run, models: Path, tmp_path: Path, paddle_python: Interpreter, paddle2onnx_python: Interpreter
) -> None:
    done = run_migrate(
        "export", models / "paddle", *NET, "--weights", models / "net.pdparams", "-o", tmp_path / "out",
        MIGRATE_HOME=tmp_path / "home",
    )  # fmt: skip
    assert done.returncode == 2
    assert "no interpreter has paddle2onnx" in done.stderr
    assert "mend: migrate env paddle2onnx" in done.stderr


def test_a_function_is_no_model(run_migrate: Run, models: Path, tmp_path: Path, torch_python: Interpreter) -> None:
    done = run_migrate(
        "export", models / "torch", "--to", "torch", "--entry", "net:twice", "--input", "float32[batch,4]", "--seed", 0,
        "--format", "native", "-o", tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 2
    assert "a function cannot be exported" in done.stderr


def test_oneflow_saves_its_graph_and_says_what_it_lacks(
    run_migrate: Run, models: Path, tmp_path: Path, oneflow_python: Interpreter
) -> None:
    given = ("--entry", "net:Net", "--source", models / "torch", "--weights", models / "net.pt")
    done = run_migrate(
        "export", models / "oneflow", *given, "--input", "float32[2,5,4]", "--format", "native", "-o", tmp_path / "out"
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "model.mlir").is_file()
    assert any(path.is_dir() for path in (tmp_path / "out").iterdir())
    free = run_migrate(
        "export",
        models / "oneflow",
        *given,
        "--input",
        "float32[batch,5,4]",
        "--format",
        "native",
        "-o",
        tmp_path / "no",
    )
    assert free.returncode == 2
    assert "no axis can be free (x: batch)" in free.stderr
    onnx = run_migrate("export", models / "oneflow", *given, "--input", "float32[2,5,4]", "-o", tmp_path / "no")
    assert onnx.returncode == 2
    assert "mend: export the torch model" in onnx.stderr
    assert not (tmp_path / "no").exists()


def test_an_export_is_replaced_only_when_told(
    run_migrate: Run, models: Path, tmp_path: Path, torch_python: Interpreter
) -> None:
    out = tmp_path / "out"
    given = (
        "export", models / "torch", "--to", "torch", "--entry", "net:Ranked", "--input", "float32[batch,4]",
        "--weights", models / "ranked.pt", "--format", "native", "-o", out,
    )  # fmt: skip
    assert run_migrate(*given).returncode == 0
    before = manifest_of(out)
    refused = run_migrate(*given)
    assert (refused.returncode, "exists" in refused.stderr) == (2, True)
    assert manifest_of(out) == before
    assert run_migrate(*given, "--force").returncode == 0
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("")
    other = run_migrate(*given[:-1], tmp_path / "other", "--force")
    assert other.returncode == 2
    assert (tmp_path / "other" / "mine.txt").is_file()
