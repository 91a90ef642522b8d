"""Artefacts of a lower precision, and the error that a check predicts for them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from migrate.convert.record import file_digest
from migrate.environments import Interpreter
from migrate.errors import Unusable
from migrate.export import axes, calibration

from .conftest import INPUT

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def int8_report(tmp_path_factory: pytest.TempPathFactory, run_migrate: Run, small: Path, int8: Path) -> dict[str, Any]:
    """Of its check, as JSON."""
    file = tmp_path_factory.mktemp("report") / "report.json"
    done = run_migrate("check", small, int8, "--json", file)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def manifest_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "export.json").read_text())
    return found


def rows_of(run_migrate: Run, small: Path, exported: Path, report: Path, *more: Any) -> list[dict[str, Any]]:
    """Of a check."""
    done = run_migrate("check", small, exported, "--json", report, *more)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    entries = json.loads(report.read_text())["entries"]
    return [row for entry in entries for level in entry["levels"] for row in level["rows"]]


def test_int8_is_within_the_error_that_its_check_predicts(int8: Path, int8_report: dict[str, Any]) -> None:
    told = manifest_of(int8)
    assert told["precision"]["operators"] == ["Conv", "Gemm"]
    calls = calibration.load(int8 / "calibration.npz")
    assert len(calls) == told["precision"]["calibration"]["calls"] == 8
    assert calibration.digest_of(calls) == told["precision"]["calibration"]["sha256"]
    assert sorted(told["files"]) == ["calibration.npz", "model.onnx"]
    rows = [row for entry in int8_report["entries"] for row in entry["levels"][0]["rows"]]
    assert len(rows) == 3  # batches of 2, 1 and 5
    for row in rows:
        assert row["floor_from"] == "int8"
        assert 0.1 < row["ratio"] <= 1.5
        assert row["verdict"] == "same"
        assert 1e-4 < row["floor"] < 0.2
        assert "predicted" in row["note"]


def test_the_most_sensitive_layers_in_float_lower_the_error(
    run_migrate: Run, small: Path, export: Run, int8: Path, int8_report: dict[str, Any], tmp_path: Path
) -> None:
    outputs, found = int8_report["entries"][0]["levels"]
    assert found["name"] == "sensitivity"
    assert set(found["figures"]) == {
        "stem", "blocks.0.conv1", "blocks.0.conv2", "blocks.1.conv1", "blocks.1.conv2", "fc",
    }  # fmt: skip
    assert list(found["figures"].values()) == sorted(found["figures"].values(), reverse=True)
    assert set(manifest_of(int8)["precision"]["layers"].values()) == set(found["figures"])
    first = list(found["figures"])[:3]
    keep = [option for name in first for option in ("--keep-float", name)]
    assert " ".join(keep) in " ".join(found["lines"])
    done = export(tmp_path / "out", "--precision", "int8", "--calibrate", "small:batches", *keep)
    assert done.returncode == 0, done.stderr
    assert manifest_of(tmp_path / "out")["precision"]["kept_layers"] == first
    row = rows_of(
        run_migrate, small, tmp_path / "out", tmp_path / "report.json", "--size", "batch=2", "--level", "outputs"
    )[0]
    assert row["verdict"] == "same"
    before = outputs["rows"][0]
    assert row["error"] < 0.8 * before["error"]
    assert row["floor"] < 0.8 * before["floor"]


def test_an_artefact_with_other_ranges_than_those_of_its_set_differs(
    run_migrate: Run, small: Path, int8: Path, export: Run, tmp_path: Path
) -> None:
    out = tmp_path / "narrow"
    assert export(out, "--precision", "int8", "--calibrate", "small:batches(8, 0.1)").returncode == 0
    shutil.copy(int8 / "calibration.npz", out)
    manifest, other = manifest_of(out), manifest_of(int8)
    manifest["precision"] = other["precision"]
    manifest["files"]["calibration.npz"] = other["files"]["calibration.npz"]
    (out / "export.json").write_text(json.dumps(manifest))
    rows = rows_of(run_migrate, small, out, tmp_path / "report.json", "--size", "batch=2")
    assert rows[0]["verdict"] == "differs"
    assert "times the error predicted for int8" in rows[0]["differences"][0]["text"]


@pytest.mark.parametrize(
    ("format", "precision", "most"),
    [("onnx", "float16", 50_000), ("openvino", "float16", 24_000), ("openvino", "int8", 20_000)],
)
def test_other_precisions_and_back_ends(
    run_migrate: Run, small: Path, export: Run, tmp_path: Path, torch_python: Interpreter,
    onnxruntime_python: Interpreter, openvino_python: Interpreter, nncf_python: Interpreter, format: str,
    precision: str, most: int,
) -> None:  # fmt: skip
    out = tmp_path / "out"
    done = export(out, "--format", format, "--precision", precision)
    assert done.returncode == 0, done.stderr
    told = manifest_of(out)["precision"]
    assert told["name"] == precision
    assert ("calibration" in told) == (precision == "int8")
    assert told.get("narrow") == (["stem"] if precision == "int8" else None)
    for row in rows_of(run_migrate, small, out, tmp_path / "report.json", "--size", "batch=3"):
        assert row["floor_from"] == precision
        assert row["verdict"] in ("same", "warn")  # what a processor multiplies in 8 bits differs a little
    assert (
        out / ("model.bin" if format == "openvino" else "model.onnx")
    ).stat().st_size < most  # 64,000 and 40,000 in float32


def test_bfloat16_in_openvino_where_the_processor_has_it(
    run_migrate: Run, small: Path, export: Run, tmp_path: Path, torch_python: Interpreter,
    onnxruntime_python: Interpreter, openvino_python: Interpreter,
) -> None:  # fmt: skip
    out = tmp_path / "out"
    assert export(out, "--format", "openvino", "--precision", "bfloat16").returncode == 0
    code = "import openvino; print(openvino.Core().get_property('CPU', 'OPTIMIZATION_CAPABILITIES'))"
    has = "BF16" in subprocess.run([openvino_python.python, "-c", code], capture_output=True, text=True).stdout
    done = run_migrate("check", small, out, "--size", "batch=3")
    if not has:
        assert done.returncode == 2
        assert "this processor has no other" in done.stderr
        return
    assert done.returncode == 0, done.stdout + done.stderr
    assert "times the error predicted for bfloat16" in done.stdout


def test_paddle_to_int8(
    run_migrate: Run, small: Path, tmp_path: Path, paddle_python: Interpreter, paddle2onnx_python: Interpreter,
    onnxruntime_python: Interpreter,
) -> None:  # fmt: skip
    assert run_migrate("convert", small, "--to", "paddle", "-o", tmp_path / "paddle").returncode == 0
    done = run_migrate(
        "export", tmp_path / "paddle", "--source", small, *INPUT, "--precision", "int8", "--calibrate", "small:batches",
        "-o", tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = rows_of(run_migrate, small, tmp_path / "out", tmp_path / "report.json", "--size", "batch=3")
    assert {row["verdict"] for row in rows} == {"same"}


TOLD = [{"name": "x", "path": "0", "dtype": "float32", "shape": ["batch", 3, 12, 12]}]


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.zeros((2, 4, 12, 12), np.float32), r"has float32\[2,4,12,12\] for x: float32\[batch,3,12,12\]"),
        (np.zeros((2, 3, 12, 12)), r"has float64\[2,3,12,12\] for x: float32\[batch,3,12,12\]"),
        (np.zeros((0, 1, 3, 12, 12), np.float32), "gives no call at all"),
        (np.zeros((0, 3, 12, 12), np.float32), r"has float32\[0,3,12,12\] for x"),
        (np.full((1, 3, 12, 12), np.nan, np.float32), "has elements that are not finite"),
    ],
)
def test_a_set_that_does_not_fit(tmp_path: Path, array: Any, said: str) -> None:
    np.savez(tmp_path / "set.npz", x=array)
    given = calibration.read(str(tmp_path / "set.npz"))
    with pytest.raises(Unusable, match=said):
        calibration.collect(given, axes.read(["float32[batch,3,12,12]"], []), 0, TOLD, None)


def test_files_of_calls(tmp_path: Path) -> None:
    inputs = axes.read(["float32[batch,3,12,12]"], [])
    np.savez(tmp_path / "1.npz", x=np.ones((5, 1, 3, 12, 12), np.float32))
    np.savez(tmp_path / "2.npz", np.zeros((2, 3, 12, 12), np.float32))
    calls = calibration.collect(calibration.read(str(tmp_path)), inputs, 0, TOLD, None)
    assert [call["0"].shape[0] for call in calls] == [1, 1, 1, 1, 1, 2]
    np.savez(tmp_path / "3.npz", y=np.zeros((2, 3, 12, 12), np.float32))
    with pytest.raises(Unusable, match="y is no input of the model; its inputs are x"):
        calibration.collect(calibration.read(str(tmp_path)), inputs, 0, TOLD, None)
    (tmp_path / "4.npz").write_bytes(b"no archive")
    with pytest.raises(Unusable, match=r"is no \.npz of arrays"):
        calibration.collect(calibration.read(str(tmp_path / "4.npz")), inputs, 0, TOLD, None)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--precision", "int4"), "--precision int4: is not known"),
        (("--precision", "bfloat16"), "ONNX Runtime has no kernels"),
        (("--precision", "int8", "--format", "native"), "what a framework saves itself"),
        (("--precision", "float16", "--calibrate", "8"), "--calibrate is for --precision int8"),
        (("--precision", "int8", "--calibrate", "0"), "an empty set"),
        (("--precision", "int8", "--calibrate", "absent.npz"), "absent.npz: is not there"),
        (("--precision", "int8", "--calibrate", "images"), "is no number, no .npz, no folder"),
        (("--precision", "int8", "--calibrate", "small:none"), "gives no call at all"),
        (("--precision", "int8", "--calibrate", "small:broken"), "ValueError: no such folder of images at"),
        (("--precision", "int8", "--keep-float", "nowhere"), "--keep-float nowhere: is no layer whose weights"),
    ],
)
def test_bad_options_leave_nothing(
    export: Run, tmp_path: Path, torch_python: Interpreter, onnxruntime_python: Interpreter, more: Any, said: str
) -> None:
    refused(export(tmp_path / "out", *more), said, tmp_path)


def test_a_set_that_was_changed_is_noticed(run_migrate: Run, small: Path, int8: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(int8, other)
    calls = calibration.load(int8 / "calibration.npz")[1:]
    calibration.save(other / "calibration.npz", calls)
    assert "is not what was exported (sha256)" in run_migrate("check", small, other).stderr
    manifest = manifest_of(other)
    manifest["files"]["calibration.npz"] = file_digest(other / "calibration.npz")
    (other / "export.json").write_text(json.dumps(manifest))
    done = run_migrate("check", small, other)
    assert done.returncode == 2
    assert "the calibration set is not the one that export.json names" in done.stderr


def refused(done: subprocess.CompletedProcess[str], said: str, folder: Path) -> None:
    """With a mend, and nothing written."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert "mend: " in done.stderr
    assert not (folder / "out").exists()
