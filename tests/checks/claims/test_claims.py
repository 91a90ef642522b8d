"""No claim of the inference is false in programs made to tempt it, and the oracle sees a false one."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from textwrap import dedent

import pytest

pytest.importorskip("torch")

from checks.claims.observing import Observed, instrumented, observe_program, observing, shown
from migrate.convert.forks import Forks
from rewriters.infer.ranks import hint_of_rank
from rewriters.infer.values import INTEGRAL, Tensor
from rewriters.load_file import load_file

pytestmark = pytest.mark.framework

TEMPTING = load_file(Path(__file__).with_name("programs.py"))


@pytest.mark.parametrize("subject", sorted(TEMPTING.PROGRAMS))
def test_no_claim_is_false(subject: str) -> None:
    observed = Observed()
    observe_program(TEMPTING.HEAD + dedent(TEMPTING.PROGRAMS[subject]), observed)
    assert observed.looked_at > 20
    assert not observed.false, "\n".join(observed.lines())


# Each interpreted by a process of its own where there are two; both ask each other.
HALVES = {
    "claims_first.py": """
import torch
from claims_second import Net, applied, pair


def made(width):
    return torch.zeros(2, width)


def program():
    net = Net(made)
    left, right = pair(made(3))
    result = applied(lambda t: t.sum(1), net(left).float() + right)
    return result.view(1, -1), net.kept.argmax(1), net.sizes
""",
    "claims_second.py": """
import torch
import claims_first


class Net(torch.nn.Module):
    def __init__(self, make):
        super().__init__()
        self.kept = make(3)
        self.sizes = [int(n) for n in claims_first.made(4).shape]

    def forward(self, x):
        y = x * 2 + self.kept
        return (y > 1).long().unsqueeze(0)[0]


def pair(x):
    return x.abs(), x.mean()


def applied(function, value):
    return function(value)
""",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
def test_what_two_processes_claim_of_half_of_the_files_each_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in HALVES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    said = []
    for workers in (None, Forks(2)):
        observed = Observed()
        with observing(observed, instrumented(tmp_path, observed, workers=workers)):
            importlib.import_module("claims_first").program()
        assert not observed.false, "\n".join(observed.lines())
        assert {observed.claims[number].path for number in observed.times} == set(HALVES)
        said.append({(str(claim), shown(claim.value)) for claim in observed.claims})
    assert said[0] == said[1]
    kind = shown(Tensor(kinds=INTEGRAL, hints=hint_of_rank(2)))  # others may call it with more axes
    assert ("claims_first.py:13: net(left)", kind) in said[0]
