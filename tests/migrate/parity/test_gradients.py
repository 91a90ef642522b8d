"""Gradients are computed as training computes them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from checks.parity.report import SAME, SKIPPED, Level
from migrate.parity import check_parity
from migrate.parity.levels import before_divergence

CHECKPOINTED = """
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(9, 6)
        self.first, self.norm, self.last = nn.Linear(6, 16), nn.LayerNorm(16), nn.Linear(16, 6)

    def inner(self, x):
        return self.norm(self.first(x).float())  # in double precision too, where it is computed again

    def forward(self, x, ids):
        x = x + self.table(ids)
        return self.last(checkpoint(self.inner, x, use_reentrant=True))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_reentrant_checkpoints(program, target):
    """torch's refuse to be asked for gradients of given tensors."""
    inputs = "float32[5,6]", "int64[5]<9"
    levels = ("outputs", "gradients", "steps")
    request = program(CHECKPOINTED, target, "net:Net", *inputs, levels=levels, train=2)
    (entry,) = check_parity(request).entries
    assert [(level.name, level.verdict) for level in entry.levels] == [(name, SAME) for name in levels]
    assert {row.name for row in entry.levels[1].rows} >= {"input 0", "table.weight", "first.weight"}


SPARSE = """
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(9, 6, sparse=True)

    def forward(self, ids):
        return self.table(ids) * self.table.weight[0]
"""


def test_sparse_gradients(program):
    request = program(SPARSE, "paddle", "net:Net", "int64[5]<9", levels=("gradients",))
    (entry,) = check_parity(request).entries
    ((row,),) = [level.rows for level in entry.levels]
    assert (row.name, row.shape, row.verdict) == ("table.weight", (9, 6), SAME)


REFUSING = """
import torch
from torch import nn


class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, grad):
        raise NotImplementedError("no gradients of this")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 5)

    def forward(self, x):
        return Once.apply(self.first(x))
"""


def test_a_level_that_torch_itself_has_not_is_left_out_unless_it_was_asked_for(program):
    report = check_parity(program(REFUSING, "paddle", "net:Net", "float32[2,6]"))
    (entry,) = report.entries
    assert [(level.name, level.verdict) for level in entry.levels] == [
        ("outputs", SAME), ("activations", SAME), ("gradients", SKIPPED)
    ]  # fmt: skip
    assert entry.levels[2].skipped.startswith("torch itself fails here: NotImplementedError: no gradients of this")
    assert report.verdict == "parity"
    asked = check_parity(program(REFUSING, "paddle", "net:Net", "float32[2,6]", levels=("gradients",)))
    assert asked.verdict == "failed"


RECURRENT = """
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.last = nn.LSTM(4, 6, 2), nn.Linear(6, 3)

    def forward(self, x):
        return self.last(self.rnn(x)[0])
"""


def test_gradients_of_recurrent_layers_in_eval_mode(program):
    """Paddle's LSTM keeps nothing for its gradient there."""
    levels = ("outputs", "gradients", "steps")
    request = program(RECURRENT, "paddle", "net:Net", "float32[5,2,4]", levels=levels, train=2)
    (entry,) = check_parity(request).entries
    assert [(level.name, level.verdict) for level in entry.levels] == [(name, SAME) for name in levels]
    assert "rnn.weight_hh_l1" in {row.name for row in entry.levels[1].rows}


FAILING = """
import torch
from torch import nn


class Whole(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, grad):
        return lacking(grad)


def lacking(grad):
    if "paddle" in type(grad).__module__:
        raise RuntimeError("has none in eval mode")
    return grad


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(4, 6), nn.Linear(6, 3)

    def forward(self, x):
        x = self.first(x)
        return self.last(x if self.training else Whole.apply(x))
"""


def test_gradients_that_fail_leave_nothing_for_the_steps(program):
    """Those of what stands behind the failing part are there by then."""
    levels = ("outputs", "gradients", "steps")
    (entry,) = check_parity(program(FAILING, "paddle", "net:Net", "float32[5,4]", levels=levels, train=2)).entries
    found = {level.name: level for level in entry.levels}
    assert found["gradients"].failure.side == "PaddlePaddle"
    assert (found["outputs"].verdict, found["steps"].verdict) == (SAME, SAME)


DIVERGING = """
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 6), nn.Linear(6, 3)

    def forward(self, x):
        return (self.second(self.first(x)) * 9).exp()
"""


@pytest.mark.parametrize(
    ("values", "compared"),
    [
        ((2.0, 1.0, 9e3), 2),
        ((2.0, float("nan")), 1),
        ((-2.0, -1e9, 1.0), 1),
        ((0.0, 1e-3, 0.5), 3),
        ((2.0,), 1),
        ((), 0),
    ],
)
def test_what_diverges_has_grown_from_something(values, compared):
    level = Level("steps")
    records = [{"name": f"loss {step}", "step": step} for step in range(1, len(values) + 1)]
    results = SimpleNamespace(own={record["name"]: value for record, value in zip(records, values, strict=True)})
    assert before_divergence(level, results, records) == records[:compared]
    assert len(level.lines) == (compared < len(values))


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_steps_of_which_torch_itself_makes_nothing_are_not_compared(program, target):
    """A loss that grows without bounds magnifies rounding by more than any floor tells."""
    request = program(DIVERGING, target, "net:Net", "float32[5,4]", levels=("steps",), train=4)
    (entry,) = check_parity(request).entries
    (level,) = entry.levels
    assert level.verdict == SAME
    assert {row.name for row in level.rows} >= {"loss", "parameters", "second.weight"}
    (line,) = level.lines
    assert "torch's own loss diverges" in line
    compared = max(row.step for row in level.rows)
    assert line.startswith(f"from step {compared + 1} on nothing is compared")
