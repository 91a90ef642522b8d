"""``check --static`` of models that decide by a tensor's values."""

from __future__ import annotations

from checks.parity.report import DIFFERS, SAME
from migrate.parity import check_parity

DECIDING = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor):
        h = self.first(x)
        while h.abs().sum() > 1:
            h = h / 2
        for i in range(3):
            if h.max() < 0.5:
                h = h + i
            else:
                h = h - 1
        {more}
        return h
"""


def test_branches_and_loops_are_compiled(program):
    text = DECIDING.replace("{more}", "")
    (entry,) = check_parity(program(text, "jax", "net:Net", "float32[2,4]", static=True)).entries
    assert {level.name: level.verdict for level in entry.levels} == dict.fromkeys(
        ("outputs", "activations", "gradients", "static", "exported"), SAME
    )


def test_a_branch_that_stayed_is_where_compiling_fails(program):
    text = DECIDING.replace("{more}", "if h.sum() > 100:\n            print('large')")
    request = program(text, "jax", "net:Net", "float32[2,4]", static=True, levels=("outputs",))
    (entry,) = check_parity(request).entries
    levels = {level.name: level for level in entry.levels}
    assert levels["outputs"].verdict == SAME
    assert levels["static"].verdict == DIFFERS
    assert "TracerBoolConversionError" in str(levels["static"])
