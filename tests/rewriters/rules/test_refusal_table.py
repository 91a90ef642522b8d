"""The table of what a target refuses: read once, told where it is wrong, and what torch has for itself alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rewriters.rules.refusal_table import RefusalTable
from rewriters.rules.rulebook import NO_API, Rulebook, RuleError, load_rulebook
from rewriters.target import load_target
from rewriters.torch.table import canonical, no_api, public_names, python_names

TABLE = """
[[refusal]]
reason = "no LU here; use numpy's"
names = ["torch.lu", "torch.Tensor.lu"]

[[refusal]]
reason = "Toy has fft alone; use it"
names = [
    "torch.fft.*", "torch.nn.Module.share_memory",
]
tried = ["exists: toy.fft", "spectra.others"]
"""
RULES = """
import toy
import torch
from rewriters.rule import rule

@rule(torch.fft.fft, torch.add)
def fft(input):
    return toy.fft(input)
"""
# name: (the table, where and what the error says)
WRONG = {
    "no TOML": ("[[refusal]]\nreason = \n", ":2: "),
    "something else": ("[refusals]\n", r":1: a table of refusals has \[\[refusal\]\] alone, not refusals"),
    "no reason": ('\n[[refusal]]\nnames = ["torch.lu"]\n', ":2: a refusal without its reason"),
    "no names": ('\n[[refusal]]\nreason = "no"\n', ":2: names is a list of texts"),
    "none": ('\n[[refusal]]\nreason = "no"\nnames = []\n', ":2: a refusal of no names"),
    "misspelt": (TABLE.replace("tried", "tires"), ":6: a refusal has reason, names and tried, not tires"),
    "unknown name": (TABLE.replace("torch.lu", "torch.ul"), ":4: torch has no torch.ul"),
    "unknown package": (TABLE.replace("torch.fft", "torch.ttf"), r":9: torch has no torch.ttf\.\*"),
    "twice": (TABLE.replace('"torch.nn.Mod', '"torch.lu", "torch.nn.Mod'), ":9: torch.lu is refused twice"),
    "answered": (TABLE.replace("torch.lu", "torch.add"), ":4: torch.add is refused, and a rule file answers for it"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[str], Path]:
    def write(table: str) -> Path:
        (tmp_path / "rules").mkdir()
        (tmp_path / "rules" / "own.py").write_text(RULES)
        (tmp_path / "refusals.toml").write_text(table)
        return tmp_path

    return write


def test_what_it_says(folder: Callable[[str], Path]) -> None:
    place = folder(TABLE)
    book = load_rulebook(place)
    assert book.refusals["torch.Tensor.lu"] == "no LU here; use numpy's"
    assert book.refusals["torch.nn.Module.share_memory"] == book.refusals["torch.fft.ifft"]
    assert "torch.fft.fft" not in book.refusals
    assert load_rulebook.__wrapped__(place).refusals == book.refusals  # from what was remembered
    first, second = RefusalTable(place / "refusals.toml").entries()
    assert (first.line, first.tried, second.tried) == (2, (), ("exists: toy.fft", "spectra.others"))


def test_a_changed_table_is_read_anew(folder: Callable[[str], Path]) -> None:
    place = folder(TABLE)
    load_rulebook(place)
    (place / "refusals.toml").write_text(TABLE.replace("no LU here", "none of LU"))
    assert load_rulebook.__wrapped__(place).refusals["torch.lu"] == "none of LU; use numpy's"


@pytest.mark.parametrize("name", WRONG)
def test_errors_name_file_and_line(name: str, folder: Callable[[str], Path]) -> None:
    table, says = WRONG[name]
    with pytest.raises(RuleError, match=f"refusals.toml{says}"):
        load_rulebook(folder(table))


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_no_ones_api_has_an_answer_and_is_not_counted(target: str) -> None:
    book: Rulebook = load_rulebook(load_target(target).folder)
    assert [name for name in no_api() if not book.answers(name) and name not in python_names()] == []
    assert not set(no_api()) & set(public_names())
    for name in (
        "torch.nn.functional.BroadcastingList2",
        "torch.nn.functional.boolean_dispatch",
        "torch.nn.functional.reproducibility_notes",
    ):
        assert book.refusals[canonical(name)] == NO_API
    for name in ("torch.nn.functional.Callable", "torch.optim.lr_scheduler.Counter", "torch.hub.tqdm"):
        assert name not in book.refusals  # at home elsewhere


def test_what_people_call_is_counted() -> None:
    names = set(public_names())
    assert {"torch.jit.is_scripting", "torch.linalg.svd", "torch.nn.functional.handle_torch_function"} <= names
    assert {"torch.nn.modules.batchnorm._BatchNorm", "torch.optim.lr_scheduler._LRScheduler"} <= names


def test_no_ones_api_is_marked(sites: Callable[..., Any]) -> None:
    source = "from torch.nn.functional import Callable, boolean_dispatch, relu\n\n\n"
    source += "def f(x) -> Callable:\n    return boolean_dispatch(relu(x))\n"
    found = {site.api: site.detail for site in sites(source) if site.outcome == "marked"}
    assert set(found.values()) == {NO_API}
    assert {name.rpartition(".")[2] for name in found} == {"boolean_dispatch"}


def test_a_projects_rule_answers_for_what_is_no_api(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text('from rewriters.rule import refuse\n\nrefuse("torch.nn.functional.Callable", "ours; take that")\n')
    book = load_rulebook(load_target("paddle").folder, (own,))
    assert book.refusals["torch.nn.functional.Callable"] == "ours; take that"
