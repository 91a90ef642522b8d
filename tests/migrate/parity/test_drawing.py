"""Random numbers that both sides draw: the same ones, wherever torch's functions and the target's call for them."""

from __future__ import annotations

import pytest

from checks.parity.report import SAME, SKIPPED, WARNED
from migrate.parity import check_parity

NET = """
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical, Normal


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(8, 6)
        self.dec = nn.Linear(3, 8)

    def forward(self, x):
        mean, log = self.enc(x).chunk(2, -1)
        return self.dec(mean + torch.exp(0.5 * log) * torch.randn_like(log))


class Drawing(nn.Module):
    def __init__(self):
        super().__init__()
        self.line, self.inner, self.drop = nn.Linear(8, 6), VAE(), nn.Dropout(0.3)

    def forward(self, x):
        h = self.line(x)
        h = h[torch.randperm(x.size(0))] * torch.rand(6) + torch.randint(2, 10, (x.size(0),)).unsqueeze(1) * 0.1
        h = self.drop(h * torch.bernoulli(torch.full_like(h, 0.7)))
        sample = Normal(h, torch.full_like(h, 0.5)).rsample()
        with torch.no_grad():
            picked = torch.multinomial(torch.softmax(h, -1), 2), Categorical(logits=h).sample()
        noise = torch.empty(3).uniform_(-1, 1), torch.zeros(4).normal_(), torch.normal(0.0, 1.0, (2,))
        return h, sample, self.inner(x), *picked, *noise, torch.normal(h, 0.3).detach()


class Hard(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 6)

    def forward(self, x):
        return F.gumbel_softmax(self.line(x), tau=0.5, hard=True), F.gumbel_softmax(self.line(x), 0.7)
"""
LEVELS = ("outputs", "activations", "gradients", "steps")


def levels(request):
    (entry,) = check_parity(request).entries
    return {level.name: level for level in entry.levels}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_both_draw_is_compared(program, target):
    found = levels(program(NET, target, "net:Drawing", "float32[4,8]", train=2, levels=LEVELS))
    assert {level.verdict for level in found.values()} <= {SAME, WARNED}
    assert len(found["outputs"].rows) == 9
    assert {row.verdict for row in found["outputs"].rows} == {SAME}


def test_noise_of_a_softmax_is_drawn_as_torch_draws_it(program):
    found = levels(program(NET, "paddle", "net:Hard", "float32[4,8]", levels=("outputs", "gradients")))
    assert {level.verdict for level in found.values()} == {SAME}


def test_draws_of_another_kind_are_named(program):
    found = levels(program(NET, "oneflow", "net:Hard", "float32[4,8]", levels=("outputs",)))
    assert found["outputs"].verdict == SKIPPED
    assert "draw 1: torch exponential over [4, 6], the target" in found["outputs"].skipped


def test_what_a_graph_draws_is_its_own(program):
    request = program(NET, "paddle", "net:VAE", "float32[4,8]", train=1, static=True, levels=("outputs", "steps"))
    found = levels(request)
    assert {name: level.verdict for name, level in found.items()} == {
        "outputs": SAME, "steps": SAME, "static": SKIPPED, "static steps": SKIPPED, "exported": SKIPPED,
    }  # fmt: skip
