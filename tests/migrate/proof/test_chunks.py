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


def test_what_became_the_same_code_is_executed_once(paddle_python: Interpreter, tmp_path: Path) -> None:
    rows, records = prove_rules(
        load_target("paddle"),
        ["torch.sinh", "torch.Tensor.sinh"],
        entries(["torch.sinh"], ("opinfo",), few=1),
        tmp_path,
    )
    executed = [line for path in tmp_path.glob("*/out/results.jsonl") for line in path.read_text().splitlines()]
    assert len(executed) < len(rows) == sum(record.passed for record in records.values())


def test_a_function_whose_head_takes_several_lines_is_its_body() -> None:
    head = "def build_3(a):\n    return a\n\n\ndef sample_3(\n    a: int,\n    b: int,\n):\n"
    text = f"{head}    # migrate: differs x\n    return a\n"
    assert run.functions(text) == {3: "return a\n# migrate: differs x\nreturn a"}
