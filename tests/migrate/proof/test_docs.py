"""The pages of docs/rules: they are those that the records give."""

from __future__ import annotations

from pathlib import Path

from migrate.proof import docs as proof_docs
from migrate.proof.coverage import Coverage
from rewriters.target import load_target


def test_pages_are_up_to_date() -> None:
    assert not proof_docs.stale(), "run: make docs"


def test_pages_are_written_whole_and_found_stale(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "rules"
    count = proof_docs.write(folder)
    assert len(list(folder.rglob("*.md"))) == count > 10
    assert proof_docs.stale(folder) == []
    (folder / "gone.md").write_text("# gone\n", encoding="utf-8")
    (folder / "paddle.md").write_text("# old\n", encoding="utf-8")
    assert proof_docs.stale(folder) == ["gone.md", "paddle.md"]
    proof_docs.write(folder)
    assert proof_docs.stale(folder) == []
    assert [path.name for path in folder.parent.iterdir()] == ["rules"]


def test_a_page_shows_a_rule_with_what_it_was_checked_on() -> None:
    text = "\n".join(proof_docs.page("torch.nn", Coverage(load_target("paddle"))))
    section = text.partition("**`torch.nn.Linear(")[2].partition("\n**`")[0]
    assert "return paddle.nn.Linear(" in section
    assert "* weight: transposed" in section


def test_a_page_shows_a_call_before_and_after() -> None:
    coverage = Coverage(load_target("paddle"))
    before, after = coverage.records["torch.nn.Linear"].example
    assert before.startswith("torch.nn.Linear(")
    assert after.startswith("paddle.nn.Linear(")
    page = list(proof_docs.page("torch.nn", coverage))
    assert f"`{before}` → `{after}`\n" in page
    assert sum("` → `" in line for line in page) > 50


def test_reasons_cannot_break_a_page() -> None:
    assert proof_docs.plain("use `x` <b>\n*all*") == r"use `x` \<b> \*all\*"
    assert proof_docs.plain("fails: 3, the first: f(*a)  # b") == "fails: 3, the first: `f(*a) # b`"
