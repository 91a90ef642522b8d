"""The real part of what nothing says to be a tensor, which numbers and other objects have, too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch
from functools import reduce
def scan(op, pairs):
    a, b = pairs
    out = [(a[0], b[0])]
    for k in range(1, len(a)):
        out.append(op(out[-1], (a[k], b[k])))
    return tuple(map(torch.stack, zip(*out)))
def operator(a, b):
    a_i, kv_i = a
    a_j, kv_j = b
    return a_j * a_i, torch.addcmul(kv_j, a_j, kv_i)
def gate(q, k, v, a):
    kv = torch.einsum('n d, n e -> n d e', k, v)
    kv = kv + 0.j
    _, kv = scan(operator, (a[..., None], kv))
    return torch.einsum('n d, n d e -> n e', q, kv.real)
q = torch.arange(6.0).reshape(3, 2)
show(gate(q, q, q + 1, torch.ones(3, 2) * 0.5 + 0.5j))
def parts(x): return x.real, x.imag
show(parts(2.5), parts(1 + 2j), parts(torch.tensor([1 + 2j])))
def only(x): return x.real
show(only(torch.ones(2)), only(3))
class Box:
    def __init__(self): self.real = 5; self.imag = [1]
show(parts(Box()))
"""

SPARSE = """
import torch
class Base(torch.optim.Optimizer):
    def init_group(self, group, **kw):
        for p in group["params"]:
            if p.grad is None:
                continue
            grad = p.grad
            if grad.is_sparse:
                raise ValueError("sparse")
            self.state[p].setdefault("m", torch.zeros_like(grad))
class Opt(Base):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))
    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            self.init_group(group)
            for p in group["params"]:
                m = self.state[p]["m"]
                m.mul_(0.9).add_(p.grad)
                p.add_(m, alpha=-group["lr"])
w = torch.nn.Parameter(torch.ones(2))
opt = Opt([w])
for i in range(2):
    opt.zero_grad(); (w ** 2).sum().backward(); opt.step()
show(w)
def sparse(x): return x.is_sparse
class Kind: is_sparse = 3
show(sparse(Kind()), sparse(w))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_whether_it_is_sparse_is_asked(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(SPARSE, target)


def test_it_is_asked_at_run_time(agrees: Callable[..., Outcome]) -> None:
    agrees(PROGRAM, "paddle")
