"""Modules of a program whose names Paddle's layers have for themselves, and what moves and casts modules."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.environments import Interpreter
from rewriters.targets import paddle
from rewriters.targets.paddle.passes.own_names import ASKED, UNASKED

RULES = Path(paddle.__file__).parent / "rules" / "nn" / "modules" / "own_names.py"

PROGRAMS = {
    "a layer, a buffer and a setting under Paddle's names": """
        import copy
        import torch
        from torch import nn


        class Inverse(nn.Module):
            def __init__(self, transform):
                super().__init__()
                self._transform = transform
                self._dtype = "mine"
                self.full = nn.Linear(2, 2)
                self.register_buffer("astype", torch.ones(1))

            def forward(self, x):
                return self._transform(x) + self.full(x).sum() * 0 + self.astype


        net = Inverse(nn.Linear(2, 2, bias=False))
        nn.init.ones_(net._transform.weight)
        net = copy.deepcopy(net)
        net.to(torch.float64)
        show(net(torch.ones(1, 2, dtype=torch.float64)), sorted(net.state_dict()), net._dtype)
        show([type(part).__name__ for part in net.children()])
        del net._dtype
        net._transform = nn.Identity()
        show(net(torch.ones(1, 2, dtype=torch.float64)), hasattr(net, "full"))
    """,
    "methods under Paddle's names": """
        import torch
        from torch import nn


        class Twice(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(1))

            def _transform(self, x):
                return x * 2 * self.scale

            def forward(self, x):
                return self._transform(x)


        class More(Twice):
            def _transform(self, x):
                return super()._transform(x) + 1


        for net in (Twice(), More()):
            net.to(dtype=torch.float64, device="cpu")
            show(net(torch.ones(2, dtype=torch.float64)), sorted(net.state_dict()))
    """,
    "a method that is applied to every tensor": """
        import torch
        from torch import nn


        class Bounded(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(2))
                self.register_buffer("index", torch.tensor([1, 2]))
                self.bound = torch.zeros(1)
                self.calls = 0

            def _apply(self, fn):
                self.bound = fn(self.bound)
                self.calls += 1
                return super()._apply(fn)

            def in_double(self):
                return self._apply(lambda t: t.double() if t.is_floating_point() else t)


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.part = Bounded()

            def forward(self, x):
                return x * self.part.weight + self.part.bound


        net = Net()
        show(net.to(torch.float64).part.bound.dtype, net.part.calls, net(torch.ones(2, dtype=torch.float64)))
        part = Bounded().in_double()
        show(part.weight.dtype, part.index.dtype, part.bound.dtype, part.weight.sum(), part.calls)
    """,
    "a distribution that is a module": """
        import torch
        from torch import nn
        from torch.distributions import Gamma, Normal


        class Prior(Normal, nn.Module):
            def __init__(self, loc, scale):
                nn.Module.__init__(self)
                Normal.__init__(self, loc=loc, scale=scale)
                loc = self.loc.clone()
                del self.loc
                self.register_buffer("loc", loc)


        prior = Prior(torch.tensor(1.0), torch.tensor(2.0))
        show(prior.log_prob(torch.tensor(0.5)), list(prior.state_dict()), prior.loc, prior.scale)
    """,
    "integers are left as they are": """
        import torch
        from torch import nn


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(2))
                self.register_buffer("index", torch.tensor([1, 0, 257]))
                self.register_buffer("mask", torch.tensor([True, False]))


        def told(net: nn.Module):
            show([(name, t.dtype) for name, t in net.state_dict().items()], net.index)


        def like(net: nn.Module, x: torch.Tensor) -> nn.Module:
            return net.to(x)


        told(Net().to(torch.float64))
        told(Net().to("cpu", torch.float16))
        told(Net().to(device="cpu", dtype=torch.bfloat16))
        told(Net().double())
        told(Net().half())
        told(Net().double().float())
        told(like(Net(), torch.ones(1, dtype=torch.float64)))
        told(Net().to(tensor=torch.ones(1, dtype=torch.float64)))
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")


def test_the_names_are_those_that_paddle_has(paddle_python: Interpreter) -> None:
    listed = re.findall(r'"(\w+)"', RULES.read_text().partition("OWN_NAMES = (")[2].partition("\n)")[0])
    assert set(listed) == ASKED | UNASKED
    lacking = f"import paddle; layer = paddle.nn.Layer(); print([n for n in {listed} if not hasattr(layer, n)])"
    done = subprocess.run([str(paddle_python.python), "-c", lacking], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
