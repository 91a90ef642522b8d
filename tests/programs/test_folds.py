"""Operators that Python applies by itself, between tensors of several kinds of dtype."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "sums": """
import torch
def total(parts):
    return sum(parts)
show(sum([torch.tensor([1, 2, 3]), torch.tensor(0.5)]), sum([torch.tensor([1, 2, 3])], torch.tensor(0.5)))
show(total([torch.tensor([1, 2, 3]), torch.tensor(0.5)]), total([1, 2]))
show(sum([torch.tensor([True, True]), torch.tensor([True, False])]), sum(t for t in [torch.ones(2), torch.ones(2)]))
""",
    "reduce": """
import torch, operator
from functools import reduce
import functools
def folded(parts):
    return reduce(operator.mul, parts), reduce(torch.add, parts), reduce(torch.Tensor.sub, parts, torch.tensor(1))
show(*folded([torch.tensor([-7, 2, 3]), torch.tensor(2)]))
show(*folded([torch.tensor([-7, 2, 3]), torch.tensor(0.5)]))
show(functools.reduce(operator.mul, torch.ones(2, 3).shape), functools.reduce(operator.add, [torch.ones(2)] * 2))
""",
    "products and what adds up": """
import torch, math, itertools
show(math.prod([torch.tensor([1, 2]), torch.tensor(0.5)]), math.prod([2, 3]))
show(list(itertools.accumulate([torch.tensor([1, 2]), torch.tensor(0.5)])))
show(list(itertools.accumulate([1, 2])), list(itertools.accumulate([torch.tensor([3]), torch.tensor(0.5)], torch.mul)))
""",
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_folds(name, target, agrees):
    agrees(PROGRAMS[name], target)


BYTES = """
import torch
a = torch.tensor([100, -100], dtype=torch.int8)
b = a
a += torch.tensor([100, -100], dtype=torch.int8)
show(a, b, a.add_(torch.tensor([100, -100], dtype=torch.int8)))
show(a.add_(torch.tensor([100, -100], dtype=torch.int8), alpha=3), b)
counts = torch.zeros(3, dtype=torch.uint8)
for _ in range(3):
    counts += torch.full((3,), 100, dtype=torch.uint8)
show(counts)
"""


def test_bytes_wrap_in_place(agrees):
    agrees(BYTES, "oneflow")
