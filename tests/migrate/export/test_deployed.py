"""``migrate check --backend`` compares what was exported with torch."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from migrate.environments import Interpreter

Run = Callable[..., subprocess.CompletedProcess[str]]


def changed(exported: Path, folder: Path, **fields: Any) -> Path:
    """A copy with other fields in its manifest."""
    shutil.copytree(exported, folder)
    manifest = json.loads((folder / "export.json").read_text())
    (folder / "export.json").write_text(json.dumps({**manifest, **fields}))
    return folder


def test_what_paddle_exported_agrees_in_onnx_runtime_and_openvino(
    run_migrate: Run, models: Path, net_onnx: Path, tmp_path: Path, openvino_python: Interpreter
) -> None:
    done = run_migrate("check", models / "torch", net_onnx, "--json", tmp_path / "report.json")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["target"]["title"] == "ONNX Runtime"
    assert [entry["inputs"] for entry in report["entries"]] == [
        [f"float32[{batch},5,4]", "scale=float32[3]"] for batch in (2, 1, 5)
    ]
    assert {row["name"] for row in report["entries"][0]["levels"][0]["rows"]} == {
        "output['y']", "output['x']", "output['more'][0]",
    }  # fmt: skip
    again = run_migrate(
        "check", models / "torch", net_onnx, "--backend", "openvino", "--size", "batch=3", "--size", "time=1,8"
    )
    assert again.returncode == 0, again.stdout + again.stderr
    assert "net:Net, onnx in OpenVINO, batch=3, time=8" in again.stdout


def test_operators_that_paddle2onnx_lacks_or_reads_otherwise(
    run_migrate: Run, models: Path, tmp_path: Path, paddle_python: Interpreter, paddle2onnx_python: Interpreter,
    onnxruntime_python: Interpreter,
) -> None:  # fmt: skip
    out = tmp_path / "operators"
    given = ("--entry", "net:Operators", "--input", "float32[2,16]", "--input", "int64[2]<3", "--seed", 0)
    done = run_migrate("export", models / "paddle", *given, "--source", models / "torch", "-o", out)
    assert done.returncode == 0, done.stderr
    done = run_migrate("check", models / "torch", out, "--json", tmp_path / "report.json")
    assert done.returncode == 0, done.stdout + done.stderr
    (entry,) = json.loads((tmp_path / "report.json").read_text())["entries"]
    assert len(entry["levels"][0]["rows"]) == 22
    assert {row["verdict"] for row in entry["levels"][0]["rows"]} == {"same"}


def test_other_weights_differ(run_migrate: Run, models: Path, ranked: Path, tmp_path: Path) -> None:
    state = torch.load(models / "ranked.pt")
    torch.save({name: value * 1.001 for name, value in state.items()}, tmp_path / "other.pt")
    refused = run_migrate("check", models / "torch", ranked, "--weights", tmp_path / "other.pt")
    assert refused.returncode == 2
    assert "is not the checkpoint that was exported" in refused.stderr
    manifest = json.loads((ranked / "export.json").read_text())
    weights = {**manifest["weights"], "sha256": hashlib.sha256((tmp_path / "other.pt").read_bytes()).hexdigest()}
    lying = changed(ranked, tmp_path / "lying", weights=weights)
    done = run_migrate("check", models / "torch", lying, "--weights", tmp_path / "other.pt")
    assert done.returncode == 1, done.stdout + done.stderr
    assert run_migrate("check", models / "torch", ranked).returncode == 0


def test_sizes_that_the_artefact_refuses(run_migrate: Run, models: Path, ranked: Path, tmp_path: Path) -> None:
    free = changed(ranked, tmp_path / "free", specs=["float32[batch,4]"], sizes={"batch": 3})
    done = run_migrate("check", models / "torch", free, "--size", "batch=3")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "the artefact refuses inputs of these sizes" in done.stdout
    fixed = run_migrate("check", models / "torch", ranked, "--size", "batch=3")
    assert fixed.returncode == 2
    assert "the artefact has no free axes" in fixed.stderr


def test_seeded_weights_are_those_of_the_check(run_migrate: Run, models: Path, tmp_path: Path) -> None:
    out = tmp_path / "seeded"
    done = run_migrate(
        "export", models / "torch", "--to", "torch", "--entry", "net:Ranked", "--input", "float32[4,4]", "--seed", 3,
        "--format", "native", "-o", out,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert run_migrate("check", models / "torch", out).returncode == 0
    for more in (("--seed", "4"), ("--weights", models / "ranked.pt")):
        refused = run_migrate("check", models / "torch", out, *more)
        assert refused.returncode == 2
        assert "the model was exported with" in refused.stderr


def test_an_artefact_that_is_cut_off(run_migrate: Run, models: Path, net_onnx: Path, tmp_path: Path) -> None:
    whole = (net_onnx / "model.onnx").read_bytes()
    half = whole[: len(whole) // 2]
    digest = hashlib.sha256(half).hexdigest()
    cut = changed(net_onnx, tmp_path / "cut", files={"model.onnx": digest})
    (cut / "model.onnx").write_bytes(half)
    done = run_migrate("check", models / "torch", cut)
    assert done.returncode == 2
    assert f"migrate: {cut}: ONNX Runtime does not load it: " in done.stderr
    (cut / "model.onnx").write_bytes(whole)
    assert "is not what was exported (sha256)" in run_migrate("check", models / "torch", cut).stderr
    (cut / "model.onnx").unlink()
    assert "is not there, export.json names it" in run_migrate("check", models / "torch", cut).stderr
    (cut / "export.json").write_text("{")
    assert "export.json: is no JSON" in run_migrate("check", models / "torch", cut).stderr


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--backend", "tvm"), "unknown back end 'tvm'"),
        (("--backend", "onnxruntime"), "ONNX Runtime does not run the format native\n  mend: --backend native"),
        (("--train", "2"), "--train is not for an exported model"),
        (("--size", "batch"), "the artefact has no free axes"),
    ],
)
def test_bad_options(run_migrate: Run, models: Path, ranked: Path, more: tuple[str, ...], said: str) -> None:
    done = run_migrate("check", models / "torch", ranked, *more)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_back_end_that_is_not_built(run_migrate: Run, models: Path, net_onnx: Path, tmp_path: Path) -> None:
    done = run_migrate("check", models / "torch", net_onnx, MIGRATE_HOME=tmp_path)
    assert done.returncode == 2
    assert "no interpreter has onnxruntime\n  mend: migrate env onnxruntime" in done.stderr
