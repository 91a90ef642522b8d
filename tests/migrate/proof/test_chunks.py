"""What is converted and executed in several jobs counts as what is in one: no call is lost between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.environments import Interpreter
from migrate.proof import run
from migrate.proof.prove import prove_rules
from migrate.proof.samples import entries
from rewriters.target import load_target

NAMES = ["torch.sinh", "torch.special.chebyshev_polynomial_t"]


def test_every_call_has_its_verdict(
    paddle_python: Interpreter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    target, database = load_target("paddle"), entries(NAMES, ("opinfo",), few=3)
    _, together = prove_rules(target, NAMES, database, tmp_path / "together")
    monkeypatch.setattr(run, "FILE", 4)
    monkeypatch.setattr(run, "CHUNK", 1)
    rows, apart = prove_rules(target, NAMES, database, tmp_path / "apart")
    assert len({*(tmp_path / "apart").glob("*/out/results.jsonl")}) > 2
    assert all(row.verdict for row in rows)
    assert {name: record.passed for name, record in apart.items()} == {n: r.passed for n, r in together.items()}
    assert sum(record.passed for record in apart.values()) == len(rows)
