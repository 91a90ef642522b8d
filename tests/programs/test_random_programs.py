"""A slice of the random programs: none differs silently. Long runs: `benchmarks/fuzz.py --to paddle --minutes 60`."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from checks.fuzz.program import SHARES, program
from checks.fuzz.shrink import shrink
from checks.fuzz.steady import is_documented, is_steady

MOST, SECONDS = 60, 35.0  # programs of a target, and the time after which no more are begun

#: Those whose difference is known and open; each is to go.
KNOWN: dict[str, dict[int, str]] = {
    "paddle": {
        34: "expand_as gives a copy, changed through an item",
    },
    "oneflow": {},
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_no_random_program_differs_silently(outcome: Callable[..., Any], target: str) -> None:
    began = time.monotonic()
    agree = 0
    for number in range(MOST):
        if time.monotonic() - began > SECONDS:
            break
        text = program(Random(f"slice:{number}"))
        found = outcome(text, target)
        assert found.torch.error is None, f"{found.torch.error}\n{text}"
        if (
            found.verdict == "differs"
            and number not in KNOWN[target]
            and is_steady(text)
            and not is_documented(text, target, found.detail, found.target.shown)
        ):
            pytest.fail(f"program {number}: {found.detail}\n{smallest(text, outcome, target)}")
        agree += found.verdict == "agrees"
    assert agree >= 3


def smallest(text: str, outcome: Callable[..., Any], target: str) -> str:
    def differs(text: str) -> bool:
        try:
            found = outcome(text, target, 5.0)
        except RuntimeError:  # what is cut down need not convert
            return False
        return found.torch.error is None and found.verdict == "differs" and is_steady(text)

    return shrink(text, differs, tries=100)


def test_programs_of_a_seed_are_the_same_each_time() -> None:
    for subject in SHARES:
        assert program(Random(f"again:{subject}"), [subject]) == program(Random(f"again:{subject}"), [subject])


def test_shrink_leaves_what_matters() -> None:
    lines = [
        "import torch",
        "x = torch.ones(3)",
        "for i in range(3):",
        "    z = x * i",
        "    show(z, torch.sin(z))",
        "show(x)",
    ]
    text = "\n".join(lines)
    small = shrink(text, lambda program: "sin" in program)
    assert "sin" in small
    assert len(small.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "steady"),
    [
        ("import torch\nshow(torch.ones(2) * 1.5)", True),
        ("import torch\nshow(torch.randn(3))", False),
        ("import torch\nshow(torch.floor(torch.tensor([2.0, 0.3]) * 1.5))", False),
        ("import torch\nraise ValueError", False),
        ("import torch\nx = torch.arange(4.0).unfold(0, 2, 1)\nx.mul_(2)\nshow(x)", False),
        ("import torch\nx = torch.arange(4.0).unfold(0, 2, 2)\nx.mul_(2)\nshow(x)", True),
        ("import torch\nx = torch.ones(()).expand(3)\na, b = x.split(2)\nb.fill_(2)\nshow(x)", False),
        ("import torch\nshow(torch.nn.functional.layer_norm(torch.full((3,), 0.8), (3,)))", False),
        ("import torch\nshow(torch.nn.functional.layer_norm(torch.tensor([0.8, 1.0, 3.0]), (3,)))", True),
        ("import torch\nx = torch.tensor([1.1, 0.9, 1.8])\nshow(torch.cross(x, x).any())", False),
        ("import torch\nx = torch.tensor([1.1, 0.9, 1.8])\nshow(torch.cross(x, x.flip(0)))", True),
        ("import torch\nshow(torch.tensor([1.1, 0.9, 1.1]).topk(1).indices)", False),
        ("import torch\nshow(torch.tensor([[1.1, 0.9], [1.2, 0.5]]).topk(1, dim=0).indices)", True),
    ],
)
def test_what_chance_or_rounding_decides_is_not_steady(text: str, steady: bool) -> None:
    assert is_steady(text) == steady


def test_a_step_along_a_gradient_of_rounding_is_not_steady() -> None:
    program = """
import torch
w = torch.ones(2, requires_grad=True)
x = torch.ones(2, requires_grad=True)
step = torch.optim.Adam([w, x], lr=0.1)
(w.sum() + x.sum() * {}).backward()
step.step()
show(x)
"""
    assert is_steady(program.format("0.5"))
    assert not is_steady(program.format("1e-8"))


@pytest.mark.parametrize(
    ("text", "detail", "documented"),
    [
        ("import torch\nshow(torch.ones(0).mean())", "", True),
        ("import torch\nshow(torch.ones(1).mean())", "", False),
        ("import torch\nshow(str(torch.ones(1)))", "", True),
        ("import torch\nshow(str(torch.ones(1).dtype))", "", False),
        ("import torch\nshow(torch.tensor(True).sum())", "show[0][0]: tensor int64 against bool", True),
        ("import torch\nshow(torch.tensor(True).sum())", "show[0][0]: tensor int64 against float32", False),
        ("import torch\nshow(torch.tensor([True]).sum())", "show[0][0]: tensor int64 against bool", False),
    ],
)
def test_what_a_page_says_to_differ(text: str, detail: str, documented: bool) -> None:
    assert is_documented(text, "oneflow", detail, []) == documented


def test_one_truth_value_picks_a_view_at_oneflow() -> None:
    program = "import torch\nx = torch.ones(2)\ny = (lambda u: u[u[0] == 1])(x)\ny -= 1\nshow(x)"
    shared = [[{"tensor": "float32", "shape": [2], "values": [0.0, 0.0]}]]
    assert is_documented(program, "oneflow", "", shared)
    assert not is_documented(program, "paddle", "", shared)


def test_shapes_of_jax_read_as_tuples() -> None:
    assert is_documented("import torch\nshow(str(torch.ones(2).shape))", "jax", "", ["(2,)"])
    assert not is_documented("import torch\nshow(torch.ones(2).shape)", "jax", "", [[2]])


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nx = torch.zeros(2)\nshow((-x).reciprocal().tanh(), (1 / (x * -2.0)).tanh())",
        """
from typing import NamedTuple
import torch
import torch.nn.functional as F

class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor

def loss(x: torch.Tensor, of, s=2):
    return F.mse_loss(x, of.sum()), s

pair = Pair(torch.ones(2).double(), 0)
show(loss(torch.arange(6).float(), of=getattr(pair, "fir" + "st".lower())))
""",
    ],
    ids=["the sign of a zero", "a loss of two widths"],
)
def test_what_differs_as_its_page_says_and_in_nothing_else(outcome: Callable[..., Any], text: str) -> None:
    found = outcome(text, "paddle")
    assert found.verdict == "differs"
    assert is_documented(text, "paddle", found.detail, found.target.shown)
    assert not is_documented(f"{text}\nshow(1)", "paddle", found.detail, found.target.shown)


def test_a_spread_that_is_small_beside_its_mean_is_not_steady() -> None:
    program = """
import torch
x = torch.tensor([[1], [2], [4]]) * {} + {}
show(torch.nn.BatchNorm1d(1)(x))
"""
    assert is_steady(program.format("1.0", "0.0"))
    assert not is_steady(program.format("0.01", "9.0"))
