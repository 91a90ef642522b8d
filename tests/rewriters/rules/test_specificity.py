"""Which overload answers: what the signatures say, wherever they lie; two that say equally much are an error."""

from __future__ import annotations

import ast
from itertools import permutations
from pathlib import Path

import pytest

from rewriters.rules.rulebook import RuleError, load_rulebook
from rewriters.rules.specificity import Tie, in_order


class Form:
    """An overload of this signature."""

    def __init__(self, signature: str) -> None:
        self.signature = signature
        made = ast.parse(f"def f({signature}): ...").body[0]
        assert isinstance(made, ast.FunctionDef)
        self.parameters = made.args
        self.place = signature


ORDERS = [
    ("input: BoolTensor | IntTensor, dim: int", "input: Rank[0], dim", "input, dim: int", "input, dim"),
    ("self, *size: int", "self, size"),
    ("size: list | tuple, *, dtype=None", "*size, dtype=None, device=None"),
    ("x: torch.Tensor, *, dim: int", "x, *, dim: int, keepdim=False", "x, dim=None, keepdim=False"),
    ("size, fill: bool | float", "size, fill: int", "size, fill"),
    ("input: Rank[3], size=None, mode=1", "input, size: int, mode=1", "input, size=None, mode=1"),
    ("input: IntTensor, dim", "input: Rank[0], dim", "input, dim"),
    ("input, *, group=None", "input, op=1, group=None"),
]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order[0])
def test_the_most_specific_comes_first_in_whatever_order_they_are_given(order):
    for given in permutations(order):
        forms = [Form(signature) for signature in given]
        assert [given[place] for place in in_order(forms)] == list(order)


APART = [
    ("x: int", "x: str"),
    ("self, size: list | tuple", "self, *size: int"),
    ("input, dim: int", "input, *, names"),
    ("input: BoolTensor", "input: FloatTensor"),
    ("high: int, size: tuple", "low: int, high: int, size: tuple"),
    ("input, repeats, dim=None", "repeats, *, size=None"),
    ("input, min: int | None = None", "input, min: torch.Tensor | None = None"),
]


@pytest.mark.parametrize("pair", APART, ids=str)
def test_overloads_that_no_call_fits_both_of_need_no_order(pair):
    assert in_order([Form(signature) for signature in pair]) == [0, 1]


TIES = [("input, dim", "input, dim"), ("input, src", "input, value"), ("a: list | int, b", "a: list | str, b")]


@pytest.mark.parametrize("pair", TIES, ids=str)
def test_a_tie_is_an_error_that_names_both(pair):
    with pytest.raises(Tie, match="admits the same calls as"):
        in_order([Form(signature) for signature in pair])


def write(folder: Path, **files: str) -> Path:
    (folder / "rules").mkdir(parents=True)
    for name, text in files.items():
        (folder / "rules" / f"{name}.py").write_text(f"import torch\nfrom rewriters.rule import rule\n\n{text}")
    return folder


ONE = "@rule(torch.cat)\ndef cat(tensors: list, dim=0):\n    return toy.cat(tensors, dim)\n"
OTHER = "@rule(torch.cat)\ndef cat(tensors, dim=0):\n    return toy.any_cat(tensors, dim)\n"


def test_names_of_files_play_no_part(tmp_path: Path) -> None:
    for number, (first, second) in enumerate(((ONE, OTHER), (OTHER, ONE))):
        book = load_rulebook(write(tmp_path / str(number), a=first, b=second))
        assert [len(rule.parameters.args) for rule in book.rules["torch.cat"]] == [2, 2]
        assert book.rules["torch.cat"][0].parameters.args[0].annotation is not None


def test_what_the_target_supplies_tells_no_overloads_apart():
    order = [Form("input: Rank[0], dim=-1"), Form("input, dim=-1, *, rngs")]
    assert in_order(order, {"rngs"}) == [0, 1]
    assert in_order(order[::-1], {"rngs"}) == [1, 0]


def test_a_tie_stops_loading_and_names_both_places(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"b\.py:5: admits the same calls as .*a\.py:5"):
        load_rulebook(write(tmp_path, a=OTHER, b=OTHER))


def test_a_function_under_two_names_of_one_thing_is_one_overload(tmp_path: Path) -> None:
    text = "@rule(torch.cat, torch.concat)\ndef cat(tensors, dim=0):\n    return toy.cat(tensors, dim)\n"
    book = load_rulebook(write(tmp_path, a=text))
    assert len(book.rules["torch.cat"]) == 1
