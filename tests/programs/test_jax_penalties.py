"""Losses with penalties of weights: what reads parameters is part of what is differentiated, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 5)
        self.last = nn.Linear(5, 3)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


def filled(net: nn.Module):
    net.load_state_dict({k: torch.linspace(-0.6, 0.7, v.numel()).reshape(v.shape) for k, v in net.state_dict().items()})
    return net


data = [(torch.linspace(-1, 1 + i, 24).reshape(6, 4), torch.arange(6) % 3) for i in range(3)]
net, other = filled(Net()), filled(Net())
opt = torch.optim.SGD(net.parameters(), lr=0.1)

"""


def test_penalties_of_weights(agrees: Callable[..., object]) -> None:
    program = """
        def named(net, x, y, opt):
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            l1, l2 = torch.zeros(()), 0
            for name, p in net.named_parameters():
                if "bias" in name:
                    continue
                l1 = l1 + p.abs().sum()
                l2 += p.norm() ** 2
            total = loss + 0.01 * l1 + 0.01 * l2
            total.backward()
            opt.step()
            return total.item()


        def near(net, old, x, y, opt):
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            prox = 0.0
            for w, w_t in zip(net.parameters(), old.parameters()):
                prox += (w - 0.5 * w_t).norm(2)
            loss = loss + 0.1 * prox
            loss.backward()
            opt.step()


        for x, y in data:
            show(named(net, x, y, opt))
            near(net, other, x, y, opt)
        for x, y in data:
            opt.zero_grad()
            w, ps, params = net.first.weight, list(net.parameters()), dict(net.named_parameters())
            sizes = sum(p.numel() for p in net.parameters())
            l2 = sum((p ** 2).sum() for n, p in net.named_parameters() if "bias" not in n) / sizes
            reg = w.pow(2).sum() + ps[1].sum() + (params["last.weight"] ** 2).sum()
            terms = []
            for m in net.children():
                terms.append(m.weight.pow(2).mean())
            for m in net.modules():
                if isinstance(m, nn.Linear):
                    reg = reg + m.bias.abs().sum()
            loss = F.cross_entropy(net(x), y) + 0.01 * reg + l2 + torch.stack(terms).sum() * 0.01
            loss.backward()
            opt.step()
            show(loss)
        show([p for p in net.parameters()])
    """
    agrees(HEAD + dedent(program), "jax")


def test_parameters_that_were_read_before_are_marked(announced: Callable[..., object]) -> None:
    program = """
        ps = list(net.parameters())
        for x, y in data:
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            reg = sum((p ** 2).sum() for p in ps)
            loss = loss + reg * 0.01
            loss.backward()
            opt.step()
            show(loss)
    """
    announced(HEAD + dedent(program), "jax")


def test_what_is_kept_of_parameters_and_read_in_the_next_turn_is_marked(announced: Callable[..., object]) -> None:
    program = """
        state = net.state_dict()
        for x, y in data:
            net.load_state_dict(state)
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss)
    """
    announced(HEAD + dedent(program), "jax")


def test_data_that_is_stored_by_name(agrees: Callable[..., object]) -> None:
    program = """
        for x, y in data:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            for name, p in net.named_parameters():
                setattr(p, "data", p.data.clamp(-0.3, 0.3) if "weight" in name else p.data * 0.5)
        show([p for p in net.parameters()])
    """
    agrees(HEAD + dedent(program), "jax")
