"""``--static``: branches and loops that values decide, as functions of JAX, in what is compiled and where it is not."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(net: nn.Module):
    net.load_state_dict({k: torch.linspace(-0.6, 0.7, v.numel()).reshape(v.shape) for k, v in net.state_dict().items()})
    return net


"""

WRITTEN = {
    "a branch of each sign": (
        "jax.lax.cond",
        """
        class Net(nn.Module):
            def forward(self, x):
                if x.sum() > 0:
                    y = x * 2
                else:
                    y = x - 1
                return y

        for sign in (1.0, -1.0):
            show(Net()(sign * torch.ones(3)))
        """,
    ),
    "ways that begin with what was there": (
        "jax.lax.cond",
        """
        class Net(nn.Module):
            def forward(self, x):
                norm = x.norm()
                if norm.item() > 2 and not x.max() < 0:
                    x = x / norm
                elif (x < -1).any():
                    scale = x.abs().max()
                    x = x / scale
                return x + 1

        for x in (torch.tensor([3.0, 4.0]), torch.tensor([-3.0, 0.5]), torch.tensor([0.1, 0.2])):
            show(Net()(x))
        """,
    ),
    "a number that float32 does not hold": (
        "float64",
        """
        class Net(nn.Module):
            def forward(self, x):
                if x.max().item() > 0.1:
                    x = x * 2
                return x

        show(Net()(torch.tensor([0.1, 0.0])))
        """,
    ),
    "ways that return": (
        "return jax.lax.cond",
        """
        class Net(nn.Module):
            def forward(self, x):
                if x.sum() > 3:
                    return x / 3
                elif x.sum() > 2:
                    x = x + 1
                    return x / 2
                # neither
                y = x.exp()
                return y * 2

        for size in (0.1, 0.8, 2.0):
            show(Net()(size * torch.ones(3)))
        """,
    ),
    "a conditional expression": (
        "jax.lax.cond",
        """
        class Net(nn.Module):
            def forward(self, x):
                return x.sum() if x.mean() > 0 else -x.sum()

        show(Net()(torch.ones(3)), Net()(-torch.ones(3)))
        """,
    ),
    "a layer that counts, in both ways": (
        "nnx.cond",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = nn.BatchNorm1d(3)

            def forward(self, x):
                if x.sum() > 0:
                    x = self.norm(x)
                else:
                    x = self.norm(x) * 2
                return x

        net = Net()
        show(net(torch.linspace(-1, 2, 12).reshape(4, 3)), net(torch.linspace(-3, 2, 12).reshape(4, 3)))
        show(net.norm.running_mean + 0, net.norm.running_var + 0)
        """,
    ),
    "turns until it is small": (
        "while_loop",
        """
        class Net(nn.Module):
            def forward(self, x):
                n = 0
                while x.abs().max() > 0.1 and n < 10:
                    x = x / 2
                    n += 1
                return x * n

        x = torch.linspace(-1, 2, 5, requires_grad=True)
        y = Net()(x)
        show(y.detach(), torch.autograd.grad(y.sum(), x)[0])
        """,
    ),
    "turns that are stopped": (
        "while_loop",
        """
        class Net(nn.Module):
            def forward(self, x):
                while True:
                    x = x * 2
                    if x.sum() > 10:
                        break
                return x

        show(Net()(torch.ones(3)), Net()(torch.full((3,), 9.0)))
        """,
    ),
    "as many turns as a value says": (
        "for_loop",
        """
        class Net(nn.Module):
            def forward(self, x, lengths: torch.Tensor):
                for i in range(int(lengths.max())):
                    x = x * 0.5 + i
                return x

        show(Net()(torch.ones(3), torch.tensor([1, 4, 2])), Net()(torch.ones(3), torch.tensor([0])))
        """,
    ),
    "training whose loss is cut": (
        "@nnx.jit",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = nn.Linear(4, 3)

            def forward(self, x):
                x = self.first(x)
                if x.abs().max() > 1:
                    x = x / 2
                return x

        def train(net: Net):
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
            for i in range(4):
                x = torch.linspace(-1, 1 + i, 24).reshape(6, 4)
                optimizer.zero_grad()
                loss = net(x).pow(2).mean()
                if loss > 0.5:
                    loss = loss / 2
                loss.backward()
                optimizer.step()
                show(loss.item(), net.first.weight)

        train(filled(Net()))
        """,
    ),
}

STAYS = {
    "a store": (
        "self.calls",
        """
        class Net(nn.Module):
            calls = 0

            def forward(self, x):
                if x.sum() > 0:
                    self.calls += 1
                    x = x * 2
                return x

        net = Net()
        show(net(torch.ones(2)), net(-torch.ones(2)), net.calls)
        """,
    ),
    "a print": (
        "prints",
        """
        class Net(nn.Module):
            def forward(self, x):
                if x.sum() > 0:
                    print("positive")
                    x = x * 2
                return x

        show(Net()(torch.ones(2)), Net()(-torch.ones(2)))
        """,
    ),
    "another shape": (
        "another shape",
        """
        class Net(nn.Module):
            def forward(self, x):
                if x.sum() > 0:
                    x = torch.cat([x, x])
                return x

        show(Net()(torch.ones(2)), Net()(-torch.ones(2)))
        """,
    ),
    "another dtype": (
        "dtypes",
        """
        class Net(nn.Module):
            def forward(self, x):
                if x.sum() > 0:
                    y = torch.zeros(2, dtype=torch.int64)
                else:
                    y = torch.zeros(2)
                return y

        show(Net()(torch.ones(2)), Net()(-torch.ones(2)))
        """,
    ),
    "a list of others": (
        "append",
        """
        class Net(nn.Module):
            def forward(self, x):
                seen = []
                if x.sum() > 0:
                    seen.append(x)
                    x = x * 2
                return x, len(seen)

        show(Net()(torch.ones(2)), Net()(-torch.ones(2)))
        """,
    ),
    "a way of which Python decides": (
        "Python's to decide",
        """
        class Net(nn.Module):
            def forward(self, x, y=None):
                if y is not None and y.sum() > 0:
                    x = x * y
                return x

        show(Net()(torch.ones(2)), Net()(torch.ones(2), torch.ones(2) * 3))
        """,
    ),
    "a way that raises": (
        "leaves",
        """
        class Net(nn.Module):
            def forward(self, x):
                if x.isnan().any():
                    raise ValueError("not a number")
                return x

        show(Net()(torch.ones(2)))
        """,
    ),
    "trained parameters of one way alone": (
        "no gradient in torch",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.other = nn.Linear(2, 2), nn.Linear(2, 2)

            def forward(self, x):
                if x.sum() > 0:
                    x = self.first(x)
                else:
                    x = self.other(x)
                return x

        def train(net: Net):
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.5)
            for sign in (1, 1, -1, 1):
                optimizer.zero_grad()
                loss = net(sign * torch.ones(3, 2)).pow(2).mean()
                loss.backward()
                optimizer.step()
                show(loss.item(), net.first.weight, net.other.weight)

        train(filled(Net()))
        """,
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_values_decide(agrees: Callable[..., object], name: str) -> None:
    needle, program = WRITTEN[name]
    found = agrees(HEAD + dedent(program), "jax_static")
    assert needle in found.converted["program.py"], found.converted["program.py"]  # type: ignore[attr-defined]
    assert not [site for site in found.sites if site.outcome == "eager" and site.api == "STATIC"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", STAYS)
def test_what_stays_is_right_and_named(agrees: Callable[..., object], name: str) -> None:
    needle, program = STAYS[name]
    found = agrees(HEAD + dedent(program), "jax_static")
    reasons = [site.detail for site in found.sites if site.outcome == "eager"]  # type: ignore[attr-defined]
    assert any(needle in reason for reason in reasons), reasons
    assert "cond(" not in found.converted["program.py"]  # type: ignore[attr-defined]
    assert "# migrate: STATIC" in found.converted["program.py"]  # type: ignore[attr-defined]
