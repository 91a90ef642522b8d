"""Random compositions of calls, with arguments that count how often and in which order they are evaluated."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

PROGRAM = """
import torch

log = []

class Box:
    def __init__(self):
        self.count = 0

    @property
    def a(self):
        self.count += 1
        log.append("a")
        return torch.arange(9.0).reshape(3, 3) * (self.count % 3 + 1) - 3

    @property
    def n(self):
        self.count += 1
        log.append("n")
        return self.count % 4

    def __getitem__(self, index):
        log.append(index)
        self.count += 1
        return torch.eye(3) * self.count

    def __len__(self):
        log.append("len")
        self.count += 1
        return self.count % 3 + 1

    def __neg__(self):
        log.append("-")
        return torch.ones(3, 3) * len(log)

    def __rsub__(self, other):
        log.append("r-")
        return len(log)

def tick(value):
    log.append("tick")
    return value + len(log) % 3

def run(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor, box{annotation}, c: bool, n: int):
    return {expression}

x = torch.arange(9.0).reshape(3, 3) / 4 - 1
y = torch.linspace(-2, 2, 9).reshape(3, 3)
z = torch.tensor([[1.0, -2.0, 0.5], [0.0, 3.0, -1.5], [2.0, 2.5, -0.5]])
for c in (True, False):
    show(run(x, y, z, Box(), c, 2), log)
    log.clear()
"""
LEAVES = st.sampled_from(
    ["x", "y", "z", "-x", "x + 1", "z.T", "box.a", "box[0]", "box[1]", "-box", "tick(x)", "tick(y)", "x[[0, 1, 2]]"]
)
NUMBERS = st.sampled_from(["2", "0.5", "-1", "n", "n + 1", "(n if c else 3)", "box.n", "len(box)", "1 - box"])
AXES = st.sampled_from(["0", "1", "-1"])
TWO = st.sampled_from(["add", "sub", "mul", "maximum", "minimum"])
ONE = st.sampled_from(["abs", "neg", "sigmoid", "tanh", "relu", "clone", "t", "detach", "contiguous", "float"])


def composed(inner):
    return st.one_of(
        st.builds("torch.{}({}, {})".format, TWO, inner, inner),
        st.builds("torch.{}(other={}, input={})".format, TWO, inner, inner),
        st.builds("({}).{}({})".format, inner, TWO, inner),
        st.builds("({}).{}()".format, inner, ONE),
        st.builds("torch.where(({}) > {}, {}, {})".format, inner, NUMBERS, inner, inner),
        st.builds("torch.addcmul({}, {}, {}, value={})".format, inner, inner, inner, NUMBERS),
        st.builds("torch.lerp({}, weight={}, end={})".format, inner, NUMBERS, inner),
        st.builds("torch.clamp({}, max={}, min=-3)".format, inner, NUMBERS),
        st.builds("({}).clamp(-2, {})".format, inner, NUMBERS),
        st.builds("torch.add(input={}, alpha={}, other={})".format, inner, NUMBERS, inner),
        st.builds("({}).sub({}, alpha={})".format, inner, inner, NUMBERS),
        st.builds("({}).mean({}, True)".format, inner, AXES),
        st.builds("torch.sum({}, keepdim=True, dim={})".format, inner, AXES),
        st.builds("({}) {} ({})".format, inner, st.sampled_from("+-*"), inner),
        st.builds("-({})".format, inner),
        st.builds("({} if c else {})".format, inner, inner),
        st.builds("[{}, {}][{}]".format, inner, inner, st.sampled_from(["0", "-1"])),
        st.builds("(lambda z: {})({})".format, inner, inner),
        st.builds("torch.stack([{} for _ in range(2)]).sum(0)".format, inner),
        st.builds("{{'k': {}}}['k']".format, inner),
        st.builds("torch.tanh(torch.tensor(float('%.2f' % ({}).sum().item())))".format, inner),
    )


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@settings(max_examples=50, deadline=None, derandomize=True)
@given(expression=st.recursive(LEAVES, composed, max_leaves=7), annotation=st.sampled_from(["", ": Box"]))
def test_compositions(outcome, target, expression, annotation):
    found = outcome(PROGRAM.format(expression=expression, annotation=annotation), target)
    assert found.verdict in {"agrees", "invalid"}, str(found)
