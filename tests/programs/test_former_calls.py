"""Calls in the form that torch has given up and still takes: numbers in front of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from migrate.programs import Outcome

OPTIMIZERS = """
import torch
def sgd(params, lr, wd, momentum, bufs):
    for p in params:
        d_p = p.grad.data
        if wd != 0:
            d_p = d_p.add(wd, p.data)
        if momentum:
            buf = bufs.setdefault(id(p), torch.zeros_like(p.data))
            buf.mul_(momentum).add_(1 - 0.5, d_p)
            d_p = d_p.add(momentum, buf)
        p.data.add_(-lr, d_p)
def adam(p, g, m, v, b1, b2, lr):
    m.mul_(b1).add_(1 - b1, g)
    v.mul_(b2).addcmul_(1 - b2, g, g)
    denom = v.sqrt().add_(1e-8)
    p.addcdiv_(-lr,
               m,
               denom)
w = torch.tensor([1.0, 2.0], requires_grad=True)
bufs = {}
for i in range(3):
    w.grad = None
    (w ** 3).sum().backward()
    sgd([w], 0.1, 0.01, 0.9, bufs)
    show(w.detach())
p, g, m, v = torch.ones(3), torch.arange(3.0), torch.zeros(3), torch.zeros(3)
adam(p, g, m, v, 0.9, 0.99, 0.1)
show(p, m, v)
"""

OTHERS = """
import torch
a, b = torch.ones(2, 2), torch.arange(4.0).reshape(2, 2)
show(torch.add(a, 0.5, b))
show(torch.sub(a, 2, b))
show(torch.addcmul(a, 0.5, a, b))
show(torch.addcdiv(b, 0.5, b, a))
show(torch.addmm(0.5, a, b, b))
show(torch.addmm(0.5, a, 2, b, b))
show(a.clone().addmm_(2, b, b))
show(a.clone().addmm_(0.5, 2, b, b))
show(torch.addmv(2, a[0], b, b[0]))
show(torch.addr(0.5, a, b[0], b[1]))
show(torch.baddbmm(0.5, a[None], b[None], b[None]))
show(a.clone().sub_(0.5, b), a.addcmul(2 * 0.5, a, b), a.clone().add_(0.5, a.clone().add_(0.25, b)))
class Meter:
    def __init__(self): self.s = 0; self.n = 0
    def add(self, value, n):
        self.s += value * n; self.n += n
        return self.s
meter = Meter()
show(meter.add(0.5, 3), meter.add(2, 4)); meter.add(torch.ones(3).sum().item(), 5)
show(meter.s, {1}.add(2))
i = torch.tensor([1, 2])
show(torch.add(i, 2, torch.tensor([0.5, 1.5])))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_numbers_in_front_of_tensors(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(OPTIMIZERS, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_methods_of_others_keep_their_arguments(agrees: Callable[..., Outcome], target: str) -> None:
    assert "meter.add(0.5, 3)" in agrees(OTHERS, target).converted["program.py"]


def test_files_without_torch_are_converted(agrees: Callable[..., Any]) -> None:
    program = {
        "program.py": "import torch\nfrom decay import decayed\nx = torch.ones(2)\ndecayed(x, x * 2)\nshow(x)\n",
        "decay.py": "def decayed(p, grad):\n    p.add_(-0.5, grad)  # old\n",
    }
    assert "p.add_(grad, alpha=-0.5)  # old" in agrees(program, "paddle").converted["decay.py"]
