"""`migrate rules`: coverage that adds up, and one rule with its evidence."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.cli import main
from migrate.commands.rules import command
from migrate.proof.coverage import ANSWERS, Coverage, answer, family
from migrate.proof.databases import databases
from rewriters.rules.rulebook import load_rulebook
from rewriters.target import load_target
from rewriters.torch.table import public_names

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run_migrate(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command's entry point in this process, where rules and records are read once for all of these tests."""
    monkeypatch.setenv("COLUMNS", "300")

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        words = ["migrate", *map(str, arguments)]
        monkeypatch.setattr(sys, "argv", words)
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        return subprocess.CompletedProcess(words, int(ended.value.code or 0), *capfd.readouterr())

    return run


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_table_adds_up(target: str, run_migrate: Run) -> None:
    shown = run_migrate("rules", "--to", target)
    assert shown.returncode == 0, shown.stderr
    rows = {}
    for line in shown.stdout.splitlines():
        cells = [cell.strip() for cell in line.strip("│").split("│")]
        if len(cells) == 6 and cells[1].isdigit():
            rows[cells[0]] = [int(cell) for cell in cells[1:]]
    assert rows["all"][0] == len(public_names())
    assert rows.pop("all") == [sum(column) for column in zip(*rows.values(), strict=True)]
    assert all(count == sum(answers) for count, *answers in rows.values())
    book = load_rulebook(load_target(target).folder)
    counted = Counter(answer(name, book) for name in public_names() if family(name) == "torch.nn.functional")
    assert rows["torch.nn.functional"][1:] == [counted[key] for key in ANSWERS]


def test_one_rule(run_migrate: Run) -> None:
    shown = run_migrate("rules", "torch.cat", "--to", "paddle").stdout
    assert "torch.cat(" in shown
    assert "return paddle.concat(tensors, axis=dim)" in shown
    assert re.search(r"^before: torch\.cat\(.*\)\nafter:  paddle\.concat\(.*\)$", shown, re.MULTILINE)
    assert "calls agree" in shown


def test_a_member_of_a_family_is_shown_as_it_is_meant(run_migrate: Run) -> None:
    shown = run_migrate("rules", "torch.minimum", "--to", "paddle").stdout
    assert "@rule(torch.minimum, torch.Tensor.minimum)" in shown
    assert "paddle.minimum(input, other)" in shown
    assert "heaviside" not in shown


def test_layouts_are_shown(run_migrate: Run) -> None:
    assert "weight: transposed" in run_migrate("rules", "torch.nn.Linear", "--to", "paddle").stdout


def test_a_name_that_is_the_same(run_migrate: Run) -> None:
    shown = run_migrate("rules", "torch.exp", "--to", "paddle").stdout
    assert "the same" in shown
    assert "of PyTorch's own calls, all of which agree" in shown


def test_a_trap(run_migrate: Run) -> None:
    shown = run_migrate("rules", "torch.median", "--to", "paddle").stdout
    assert "agree; first failure" in shown


@pytest.fixture
def bare(tmp_path: Path) -> str:
    """A target that answers for one function."""
    folder = tmp_path / "bare"
    (folder / "rules").mkdir(parents=True)
    (folder / "__init__.py").write_text((load_target("oneflow").folder / "__init__.py").read_text())
    (folder / "rules" / "linear.py").write_text('from rewriters.rule import same\n\nsame("torch.linalg.norm")\n')
    return str(folder)


def test_no_rule_yet(run_migrate: Run, bare: str) -> None:
    assert "no rule yet" in run_migrate("rules", "torch.linalg.svd", "--to", bare).stdout


def test_an_alias_of_torch_is_looked_up_under_its_name(run_migrate: Run) -> None:
    assert "torch.nn.Linear(" in run_migrate("rules", "torch.nn.modules.linear.Linear", "--to", "paddle").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("torch.frobnicate",), "has no public torch.frobnicate"),
        (("torch.nn.cat",), "perhaps torch.cat"),
        (("--to", "tensorflow"), "known: "),
    ],
)
def test_what_is_not_there(arguments: tuple[str, ...], message: str, run_migrate: Run) -> None:
    shown = run_migrate("rules", *arguments)
    assert shown.returncode == 2
    assert message in shown.stderr


def test_names_without_an_answer(capsys: pytest.CaptureFixture[str], bare: str) -> None:
    command(None, to=bare, chosen="torch.linalg", missing=True)
    names = capsys.readouterr().out.split()
    book = load_rulebook(load_target(bare).folder)
    assert "torch.linalg.svd" in names
    assert "torch.linalg.norm" not in names
    assert {answer(name, book) for name in names} == {"nothing"}
    assert {family(name) for name in names} == {"torch.linalg"}


def test_every_failure_with_the_call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    command(None, to="oneflow", failures=True)
    shown = capsys.readouterr().out
    coverage = Coverage(load_target("oneflow"))
    assert coverage.failing()
    for name in coverage.failing():
        assert name in shown
        assert coverage.records[name].first.split("(")[0][:40] in shown


def test_the_same_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    command(None, to="oneflow", chosen="torch.nn", as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert {family(name) for name in found["names"]} == {"torch.nn"}
    assert sum(sum(counts.values()) for counts in found["families"].values()) == len(public_names())
    for tally in found["totals"].values():
        assert 0 <= tally["agree"] <= tally["of"]
        assert tally["missing"] or tally["agree"] == tally["of"]


def test_totals_are_of_all_of_the_databases() -> None:
    """What is refused is not asked of OpInfo's samples; of modules and the rest it counts as missing."""
    coverage = Coverage(load_target("oneflow"))
    totals = list(coverage.totals().values())
    refused = {name for name in databases()["opinfo"] if answer(name, coverage.book) == "refused"}
    assert totals[0].of == sum(count for name, count in databases()["opinfo"].items() if name not in refused)
    assert [tally.of for tally in totals[1:]] == [114, 15, 15]


def test_a_family_that_is_not_there(run_migrate: Run) -> None:
    shown = run_migrate("rules", "--family", "torch.cats")
    assert shown.returncode == 2
    assert "torch.linalg" in shown.stderr


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_ways_of_calling(target: str, run_migrate: Run) -> None:
    """Called how, of how many documented ways: of one name, and summed."""
    assert re.search(r"called: \d+ of \d+ documented ways", run_migrate("rules", "torch.full", "--to", target).stdout)
    told = " ".join(run_migrate("rules", "--to", target).stdout.split())
    for whose in ("names that are not refused", "all names"):
        assert re.search(rf"ways of calling {whose}: [\d,]+ \([\d.]+%\) of [\d,]+ forms right, ", told)


def test_a_page_of_all_rules(run_migrate: Run, tmp_path: Path) -> None:
    page = tmp_path / "rules.html"
    done = run_migrate("rules", "--to", "oneflow", "--html", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert "is converted to OneFlow" in text
    mixed = run_migrate("rules", "torch.max", "--html", page)
    assert mixed.returncode == 2
    assert "leave API and the other options away" in mixed.stderr
    assert run_migrate("rules", "--html", tmp_path).returncode == 2
    assert page.read_text(encoding="utf-8") == text
