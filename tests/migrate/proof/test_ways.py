"""What is on record of the ways of calling a name."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from checks.proof.judge import AGREES, RAISED, WRONG, Verdict
from migrate.proof import ways as proof_ways
from migrate.proof.calling import ways_of
from migrate.proof.run import Proved
from migrate.proof.samples import Form
from migrate.proof.ways import Ways
from rewriters.report import Outcome
from rewriters.rules.rulebook import load_rulebook
from rewriters.target import Target, load_target


def row(word: str, verdict: Verdict | None = None, marked: str = "") -> Proved:
    record = {"label": word, "tensors": {}, "body": f"return torch.sum({word})"}
    form = Form("forms", f"sum:forms:{word}", "torch.sum", "torch.sum", "function", "", record, {}, Path())
    return Proved(form, verdict=verdict, sites=[("torch.sum", Outcome.MARKED, marked)] if marked else [])


def test_a_failure_is_a_wrong_value_or_an_error_or_refused_aloud() -> None:
    target = load_target("paddle")
    rows = [
        row("a", Verdict(AGREES)),
        row("b", marked="give a dim"),
        row("c", Verdict(RAISED, "NotImplementedError: give a dim")),
        row("d", Verdict(RAISED, "TypeError: unexpected keyword argument")),
        row("e", Verdict(WRONG, "output: shape")),
        row("f", Verdict(WRONG, "gradient: RuntimeError: no kernel")),
        row("g"),
    ]
    found = ways_of(rows, load_rulebook(target.folder), target)["torch.sum"]
    assert (found.right, found.refusals, sorted(found.errors), sorted(found.wrong)) == (1, 2, ["d", "f", "g"], ["e"])
    assert found.refused == {"torch.sum: give a dim": ["b"], "NotImplementedError: give a dim": ["c"]}
    assert found.first.startswith("return torch.sum(e)  # sum:forms:e")
    assert str(found) == "1 of 7 documented ways, 2 refused aloud, 3 the target's own error, 1 wrong"
    assert "1 (14.3%) of 7 forms right" in str(proof_ways.total([found]))


def test_what_failed_before_is_not_worse() -> None:
    before = Ways("d", right=3, errors={"a": "raised"}, wrong={"b": "wrong"})
    assert proof_ways.worse("n", before, Ways("d", errors={"a": "raised", "b": "raises now"})) == []
    assert len(proof_ways.worse("n", before, Ways("d", wrong={"a": "wrong now"}))) == 1
    assert len(proof_ways.worse("n", None, Ways("d", right=1))) == 1


def test_they_are_kept_beside_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIGRATE_HOME", str(tmp_path / "home"))
    (tmp_path / "folder" / "records").mkdir(parents=True)
    target: Target = dataclasses.replace(load_target("paddle"), folder=tmp_path / "folder")
    one, other = Ways("1", right=2, refused={"why": ["x"]}), Ways("2", wrong={"y": "z"})
    proof_ways.update(target, "3", {"torch.a": one})
    proof_ways.update(target, "3", {"torch.b": other})
    assert proof_ways.read(target) == {"torch.a": one, "torch.b": other}
    proof_ways.update(target, "3", {"torch.b": other}, whole=True)
    assert proof_ways.read(target) == {"torch.b": other}
