"""What torch.nn.init fills that no module holds, and what lists and dicts of parameters hold."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from migrate.programs import Outcome

HEAD = """
import torch
import torch.nn as nn
from torch.nn.init import constant_

"""
PROGRAMS = {
    "a position encoding made in a function": """
        def positions(kind, learn, q_len, d_model):
            if kind is None:
                W_pos = torch.empty((q_len, d_model))
                nn.init.uniform_(W_pos, -0.02, 0.02)
                learn = False
            elif kind == "zeros":
                W_pos = torch.empty((q_len, d_model))
                nn.init.constant_(W_pos, 0.5)
            else:
                W_pos = torch.zeros((q_len, 1))
                torch.nn.init.normal_(W_pos, mean=0.0, std=0.1)
            return nn.Parameter(W_pos, requires_grad=learn)

        class M(nn.Module):
            def __init__(self, kind, learn=True):
                super().__init__()
                self.W_pos = positions(kind, learn, 4, 3)
            def forward(self, x):
                return x + torch.exp(self.W_pos)

        for kind in (None, "zeros", "normal"):
            m = M(kind)
            show(m.W_pos.shape, m.W_pos.requires_grad, 0 < float(m.W_pos.detach().abs().max()) < 1)
        show(M("zeros")(torch.ones(4, 3)))
    """,
    "a codebook, attributes, parts and what comes back": """
        def uniform(*shape):
            t = torch.empty(shape)
            nn.init.kaiming_uniform_(t)
            return t

        class Codebook(nn.Module):
            def __init__(self, n, d):
                super().__init__()
                embed = uniform(n, d)
                self.register_buffer("embed", embed)
                self.register_buffer("mean", embed.clone())
                self.mat = torch.zeros(2, 2)
                nn.init.eye_(self.mat)
                self.scale = nn.Parameter(nn.init.ones_(torch.empty(2)))
                b = nn.Parameter(torch.empty(2))
                nn.init.constant_(b, -2.0)
                self.b = b

        book = Codebook(4, 3)
        show(torch.equal(book.embed, book.mean), 0 < float(book.embed.abs().max()) < 10, book.mat, book.scale, book.b)
        show(torch.abs(book.b), len(list(book.parameters())))

        def parts(n):
            t = torch.zeros(4, n)
            nn.init.constant_(t[1], 2.0)
            nn.init.ones_(t[2:])
            u = nn.init.ones_(t[3])
            d = {"w": torch.empty(n)}
            nn.init.constant_(d["w"], 1.5)
            v = constant_(torch.empty(2), 5.0).add_(1)
            w = torch.empty(2)
            return t, u, d, v, nn.init.zeros_(w)

        show(parts(3))
    """,
    "lists and dicts of parameters": """
        def scale(w, by):
            with torch.no_grad():
                w.mul_(by)
            return w

        class B(nn.Module):
            def __init__(self, n=3):
                super().__init__()
                self.ws = nn.ParameterList([nn.Parameter(torch.ones(2, 2)) for _ in range(n)])
                self.bs = nn.ParameterList()
                for i in range(n):
                    self.bs.append(nn.Parameter(torch.zeros(2)))
                self.ds = nn.ParameterDict({"k": nn.Parameter(torch.ones(2))})
                scale(self.ws[0], 0.5)
                self.ws[1].data.mul_(0.25)
                nn.init.constant_(self.bs[2], 4.0)
                with torch.no_grad():
                    self.ws[2] *= 0.5
                    self.bs[1][0] = 3.0
                    self.ds["k"][0] += 3
                    for p in self.bs:
                        p.add_(1)
                    for name, p in self.ds.items():
                        p.copy_(p * 2)

            def forward(self, x):
                for w, b in zip(self.ws, self.bs):
                    x = torch.tanh(x @ w + b)
                return x * self.ds["k"] + sum(w.abs().sum() for w in self.ws) + torch.sigmoid(self.bs[1])

        b = B()
        show(list(b.ws), list(b.bs), dict(b.ds.items()))
        opt = torch.optim.SGD(b.parameters(), lr=0.01)
        for _ in range(2):
            opt.zero_grad()
            loss = b(torch.ones(1, 2)).pow(2).mean()
            loss.backward()
            opt.step()
            show(loss.item())
        b.ws[0].requires_grad = False
        show([w.requires_grad for w in b.ws], b.ws[0].detach())
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_is_filled_where_it_is_held(name: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), "jax")


def test_a_chain_of_changes_is_seen_by_nobody_else(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        """
        import torch

        def f():
            t = torch.zeros(2)
            t.fill_(1).mul_(3)
            return t + 1

        show(f())
        """,
        "jax",
    )
    assert found.verdict == "agrees", str(found)
    assert not [site for site in found.sites if site.outcome == "differs"], str(found)


def test_who_else_holds_what_is_filled_is_named(announced: Callable[..., object]) -> None:
    announced(
        """
        import torch
        import torch.nn as nn

        t = torch.zeros(2)
        keep = t
        nn.init.ones_(t)
        show(keep)
        """,
        "jax",
    )
