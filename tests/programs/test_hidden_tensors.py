"""Methods of what is not known to be a tensor: forms in which the target's own mean something else look at run time."""

from __future__ import annotations

import pytest

HIDDEN = """
from types import SimpleNamespace

import torch


def hidden(t):
    return SimpleNamespace(t=t).t


"""
PROGRAMS = {
    "copy_": """
def write(x, y):
    x.copy_(y)
    return x
a = hidden(torch.zeros(2, 3))
show(write(a, hidden(torch.ones(3))))
b = hidden(torch.zeros(2, 3))
hidden(b)[0].copy_(hidden(torch.ones(3)))
show(hidden(b))
write(b, hidden(torch.tensor(4.0)))
show(hidden(b))
""",
    "calls as programs write them": """
m = hidden(torch.arange(48.0).reshape(2, 2, 3, 4))
show(m.permute(0, 2, 3, 1).reshape(2, 3, 4, 2), m.view(4, 1, 3, 4), m.expand(1, 2, 2, 3, 4))
show(m.clamp(min=3), m.to(torch.float64), m.to("cpu"), m.diagonal(dim1=-1, dim2=-2))
show(hidden(torch.ones(2) > 0).eq(1))
w = hidden(torch.ones(2, requires_grad=True))
(w * w).sum().backward()
show(w.grad)
w.requires_grad = False
show(w.requires_grad)
""",
}
SPARSE = """
s = hidden(torch.sparse_coo_tensor(torch.tensor([[0, 0, 1], [1, 1, 0]]), torch.tensor([1.0, 2.0, 3.0]), (2, 2)))
show(s.to_dense(), hidden(torch.ones(2)).to_dense())
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_hidden(name, target, agrees):
    agrees(HIDDEN + PROGRAMS[name], target)


def test_sparse(agrees):
    agrees(HIDDEN + SPARSE, "paddle")
