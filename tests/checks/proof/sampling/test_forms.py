"""Every way of calling: which forms are printed, and that torch itself takes each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from migrate.environments import Interpreter
from migrate.proof.samples import make

pytestmark = pytest.mark.framework

NAMES = ["tile", "sum", "max", "nn.functional.l1_loss", "zeros", "nn.Conv2d", "optim.SGD"]
NAMES += ["signal.windows.hann", "nn.functional.kl_div", "nn.BatchNorm2d", "nn.GRU"]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory, torch_python: Interpreter) -> list[Path]:
    """The same made twice."""
    found = [tmp_path_factory.mktemp(word) for word in ("once", "again")]
    for place in found:
        make(torch_python, "forms", place, NAMES)
    return found


@pytest.fixture(scope="module")
def made(places: list[Path]) -> dict[str, dict[str, str]]:
    """Name -> form -> what is printed."""
    found: dict[str, dict[str, str]] = {}
    for name in NAMES:
        for sample in content(places[0], name)["samples"]:
            (call,) = sample["calls"]
            (form,) = call["forms"]
            text = "; ".join(filter(None, [form["text"], *sample["body"].split("\n")]))
            found.setdefault(form["key"], {})[sample["label"].split(":", 2)[2]] = text.removeprefix("return ")
    return found


def content(place: Path, name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((place / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def test_the_forms_of_a_name_are_the_same_each_time(places: list[Path]) -> None:
    one, other = (
        [[sample[word] for word in ("label", "body")] for name in NAMES for sample in content(place, name)["samples"]]
        for place in places
    )
    assert one == other


def test_torch_takes_nearly_all_that_is_printed(places: list[Path]) -> None:
    """What it refuses once it is run in double precision, or differentiated, is left out and counted."""
    counts = [(len(content(places[0], n)["samples"]), sum(content(places[0], n)["left_out"].values())) for n in NAMES]
    assert sum(left for _, left in counts) * 20 < sum(kept for kept, _ in counts)


def test_parameters_are_given_by_position_and_by_keyword_and_left_out(made: dict[str, dict[str, str]]) -> None:
    forms = made["torch.sum"]
    assert forms["dim by position"] == "torch.sum(a0, (0, 1, 2, 3), keepdim=False)"
    assert forms["dim by keyword"] == "torch.sum(a0, dim=(0, 1, 2, 3), keepdim=False)"
    assert forms["keepdim left out"] == "torch.sum(a0, (0, 1, 2, 3))"
    assert forms["keepdim=True by position"] == "torch.sum(a0, (0, 1, 2, 3), True)"
    assert forms["keywords in another order"] == "torch.sum(keepdim=False, dim=(0, 1, 2, 3), input=a0)"
    assert forms["dim as axis"] == "torch.sum(a0, axis=(0, 1, 2, 3), keepdims=False)"


def test_numbers_of_other_kinds_and_sequences(made: dict[str, dict[str, str]]) -> None:
    assert made["torch.sum"]["dim as a 0-d tensor"] == "torch.sum(a0, torch.tensor(0), True)"
    assert made["torch.sum"]["dim as numpy's number"] == "torch.sum(a0, np.int64(0), True)"
    tiled = made["torch.Tensor.tile"]
    assert (tiled["dims one by one"], tiled["dims as a list"]) == ("a0.tile(2, 1, 1, 1)", "a0.tile([2, 1, 1, 1])")
    assert tiled["unbound"] == "torch.Tensor.tile(a0, (2, 1, 1, 1))"


def test_what_is_documented_wherever_it_is_taken(made: dict[str, dict[str, str]]) -> None:
    forms = made["torch.zeros"]
    words = ("dtype=torch.int64", "device='cpu'", "layout=torch.strided", "pin_memory=False", "out=None", "out given")
    assert {"device left out", "requires_grad=True", *words} - {"device='cpu'"} <= forms.keys()
    assert forms["requires_grad=True"].endswith("return made, made.requires_grad")
    assert forms["out given"].endswith("return result is outs, outs")
    losses = made["torch.nn.functional.l1_loss"]
    assert losses["size_average=False by position"] == "torch.nn.functional.l1_loss(a0, a1, False)"
    assert losses["reduce=False"] == "torch.nn.functional.l1_loss(a0, a1, reduce=False)"


def test_every_path_by_which_torch_knows_an_object(made: dict[str, dict[str, str]]) -> None:
    assert made["torch.nn.Conv2d"]["as torch.nn.modules.conv.Conv2d"].startswith("torch.nn.modules.conv.Conv2d(")
    assert made["torch.nn.Conv2d"]["call: all by keyword"].endswith("return module(input=a0)")
    assert (
        "from torch.optim.sgd import SGD; optimizer = SGD(module.parameters()"
        in made["torch.optim.SGD"]["as torch.optim.sgd.SGD"]
    )


def test_what_says_nothing_is_no_form(made: dict[str, dict[str, str]]) -> None:
    """No empty window, and no logarithm of what is negative: a target that is one stays with its option."""
    assert not any("hann(0" in text for text in made["torch.signal.windows.hann"].values())
    assert made["torch.nn.functional.kl_div"]["log_target left out"].endswith("(a0, a1, reduction='sum')")


def test_modules_that_learn_something_are_called_in_both_modes(made: dict[str, dict[str, str]]) -> None:
    assert made["torch.nn.BatchNorm2d"]["as it is, in training"] == made["torch.nn.BatchNorm2d"]["as it is"]
    assert not any(word.endswith("in training") for word in made["torch.nn.Conv2d"])


def test_a_module_is_written_of_the_plainest_arguments(made: dict[str, dict[str, str]]) -> None:
    assert made["torch.nn.GRU"]["as it is"].startswith("torch.nn.GRU(input_size=2, hidden_size=2);")
    assert made["torch.nn.GRU"]["bias=False by position"].startswith("torch.nn.GRU(2, 2, 1, False);")
