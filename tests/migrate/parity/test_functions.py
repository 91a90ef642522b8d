"""A framework without a tape: gradients, second gradients and steps are those of functions."""

from __future__ import annotations

from checks.parity.report import DIFFERS, SAME, SKIPPED
from migrate.parity import check_parity

NET = """
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(7, 4)
        self.norm, self.drop, self.act = nn.BatchNorm1d(4), nn.Dropout(0.25), nn.Tanh()
        self.head = nn.Linear(4, 7, bias=False)
        self.head.weight = self.emb.weight
        self.unused = nn.Parameter(torch.ones(3))
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x, ids):
        self.calls = self.calls + 1
        x = self.drop(self.act(self.norm(x)) + self.emb(ids))
        return F.dropout(self.head(x), 0.5, self.training) ** 2, ids


def small_steps(model):
    return torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9)
"""
INPUTS = "float32[5,4]", "int64[5]<7"
LEVELS = ("outputs", "activations", "gradients", "steps", "double")


def levels(request):
    (entry,) = check_parity(request).entries
    return {level.name: level for level in entry.levels}


def test_all_levels_agree_with_torch(program):
    # with the default rate torch's own loss diverges at the third step
    found = levels(program(NET, "jax", "net:Net", *INPUTS, train=3, optimizer="net:small_steps()", levels=LEVELS))
    assert {name: level.verdict for name, level in found.items()} == dict.fromkeys(LEVELS, SAME)
    names = {row.name for row in found["gradients"].rows}
    assert names == {"input 0", "unused", "emb.weight", "norm.weight", "norm.bias"}
    assert {"norm.running_var", "calls", "unused"} <= {row.name for row in found["steps"].rows}
    assert len(found["steps"].curve.target) == 3


def test_faults_of_the_conversion_show_at_their_levels(program):
    request = program(NET, "jax", "net:Net", *INPUTS, train=2, levels=("outputs", "gradients", "steps"))
    path = request.converted / "net.py"
    text = path.read_text()
    for old, new in (("** 2", "* jax.lax.stop_gradient(self.head(x))"), ("self.calls + 1", "self.calls + 2")):
        assert old in text
        text = text.replace(old, new)
    path.write_text("import jax\n" + text)
    found = levels(request)
    assert [found[name].verdict for name in request.levels] == [SAME, DIFFERS, DIFFERS]
    assert "calls" in {row.name for row in found["steps"].rows if row.verdict == DIFFERS}


def test_what_draws_otherwise_is_left_out(program):
    text = NET.replace("self.norm(x)", "self.norm(x) + torch.rand(1)")
    found = levels(program(text, "jax", "net:Net", *INPUTS, train=1, levels=("gradients", "steps")))
    assert {level.verdict for level in found.values()} == {SKIPPED}
