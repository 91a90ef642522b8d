"""PyTorch's samples in other clothes: what is printed, and that torch itself takes it for the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checks.worker.samples.blob import Reader
from migrate.environments import Interpreter
from migrate.proof.samples import make

NAMES = ["exp", "narrow"]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, torch_python: Interpreter) -> dict[str, Any]:
    place = tmp_path_factory.mktemp("variations")
    make(torch_python, "variations", place, NAMES, few=1)
    samples = [
        {**sample, "entry": name}
        for name in NAMES
        for sample in json.loads((place / f"{name}.json").read_text(encoding="utf-8"))["samples"]
    ]
    return {"place": place, **{sample["label"].rpartition(":")[0]: sample for sample in samples}}


def call(sample: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    (one,) = sample["calls"]
    return one["forms"][0]["text"], one["expected"]


def test_each_variation_is_printed_as_a_program_would_write_it(found: dict[str, Any]) -> None:
    assert call(found["exp:bfloat16"])[0] == "torch.exp(a0.to(torch.bfloat16))"
    assert call(found["exp:strided"])[0] == "torch.exp(a0[::2])"
    assert call(found["narrow:strided"])[0].startswith("torch.narrow(a0.transpose(-2, -1), ")
    assert call(found["exp:out"])[0] == "torch.exp(a0, out=a1)"
    assert call(found["narrow:view"])[0].endswith(").zero_()")
    assert found["exp:empty"]["tensors"]["a0"][2][0] == 0
    assert found["exp:0-d"]["tensors"]["a0"][2] == []


def test_out_and_views_are_written_to(found: dict[str, Any]) -> None:
    assert call(found["exp:out"])[1]["returned"] == {"output": "a1"}
    assert call(found["narrow:view"])[1]["after"] == ["a0"]
    assert "exp:view" not in found


def test_bfloat16_is_measured_against_double_precision(found: dict[str, Any]) -> None:
    """The run in double precision is of the same inputs, without the casts."""
    expected = call(found["exp:bfloat16"])[1]
    reader = Reader(Path(found["place"]) / "exp.bin")
    own, exact = reader.get(expected["own"]["output"]), reader.get(expected["exact"]["output"])
    assert expected["nodes"]["output"]["dtype"] == "bfloat16"
    assert exact.dtype == "float64"
    error = abs(own / exact - 1).max()
    assert 2.0**-12 < error < 2.0**-8
