"""A sample whose file the converter cannot convert counts as a failure, and is not left out."""

from __future__ import annotations

from pathlib import Path

from migrate.proof.run import Chunk, converted
from migrate.proof.samples import Form
from migrate.proof.summing import FAILED, ending


def test_what_is_not_converted_fails(tmp_path: Path) -> None:
    record = {"label": "abs:float32:0", "tensors": {"a0": [0, "<f4", [2]]}, "grads": []}
    form = Form("opinfo", "abs:float32:0", "torch.abs", "torch.abs", "function", "torch.abs((a0)", record, {}, tmp_path)
    (row,) = converted(Chunk(0, [form], tmp_path / "out"), "paddle", ())
    assert ending(row) == FAILED
    assert row.verdict is not None
    assert "not converted: " in row.verdict.finding
