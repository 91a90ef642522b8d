"""A state_dict that is read and written, hooks that are taken away, means of what a mask picks, dicts of modules."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import math
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
"""

PROGRAMS = {
    "hooks are taken away": """
        x = torch.ones(2, requires_grad=True)
        h = x.register_hook(lambda g: g * 10)
        (x * 2).sum().backward()
        show(x.grad)
        h.remove()
        x.grad = None
        (x * 2).sum().backward()
        show(x.grad)
    """,
    "hooks are called once": """
        seen, counts = [], {"n": 0}
        x = torch.tensor([1., 2.], requires_grad=True)
        x.register_hook(lambda g: seen.append(g.clone()))
        def count(g):
            counts["n"] += 1
            return g * 2
        x.register_hook(count)
        for i in range(2):
            (x ** 2).sum().backward()
            show(x.grad, counts["n"], len(seen))
        y = x * 2
        y.register_hook(count)
        g = torch.ones(2)
        y.backward(g, retain_graph=True)
        y.backward(g)
        show(x.grad, counts["n"], seen)
        net = nn.Sequential(nn.Linear(2, 2))
        nn.init.ones_(net[0].weight)
        norms = []
        for p in net.parameters():
            p.register_hook(lambda g: norms.append(g.norm().item()))
        h = net[0].weight.register_hook(lambda g: g * 0.5)
        net(torch.ones(3, 2)).sum().backward()
        h.remove()
        show(norms, net[0].weight.grad)
    """,
    "dicts of modules": """
        m = nn.ModuleDict({"a": nn.Linear(2, 1), "b": nn.ReLU()})
        show("a" in m, len(m), [k for k in m], [k for k, _ in m.items()], type(m["b"]).__name__)
        m["c"] = nn.Tanh()
        del m["a"]
        show(list(m.keys()), [type(v).__name__ for v in m.values()])
        l = nn.ModuleList([nn.ReLU()])
        l.append(nn.Tanh())
        l.insert(0, nn.Identity())
        l.extend([nn.ReLU()])
        show([type(x).__name__ for x in l], len(l + nn.ModuleList([nn.ReLU()])) if hasattr(l, "__add__") else 5)
    """,
    "state_dict is read": """
        sd = nn.Linear(2, 2).state_dict()
        show(sd["weight"].requires_grad, type(sd).__name__, list(sd), [v.shape for v in sd.values()])
        m = nn.Linear(2, 2)
        sd = m.state_dict()
        m.weight.data.fill_(3.0)
        show(sd["weight"])
        before = {k: v.clone() for k, v in m.state_dict().items()}
        m.weight.data.add_(1)
        show(before["weight"], m.weight)
        best = copy.deepcopy(m.state_dict())
        m.weight.data.zero_()
        m.load_state_dict(best)
        show(m.weight)
        sd2 = {k.replace("weight", "w"): v for k, v in best.items()}
        r = m.load_state_dict(sd2, strict=False)
        show(r.missing_keys, r.unexpected_keys, r[0])
        missing, unexpected = m.load_state_dict({}, strict=False)
        show(missing, unexpected)
        try:
            m.load_state_dict({"weight": torch.ones(3, 3), "bias": torch.ones(2)})
            show("no error")
        except RuntimeError:
            show("size mismatch")
        try:
            m.load_state_dict({"weight": torch.ones(3, 3)}, strict=False)
            show("no error")
        except RuntimeError:
            show("size mismatch")
        w = m.state_dict(prefix="x.")
        show(list(w))
        s = nn.Sequential(m)
        show(list(s.state_dict()))
        part = {k: v for k, v in s.state_dict().items() if "bias" in k}
        show(list(part))
        loss = (m.state_dict()["weight"] * 2).sum()
        show(loss.requires_grad)
    """,
    "state_dict is written to": """
        m = nn.Linear(2, 2)
        sd = m.state_dict()
        sd["weight"].fill_(2.0)
        sd["bias"].zero_()
        show(m.weight, m.bias)
        sd["weight"].mul_(3)
        sd["weight"][0] = 1
        show(m.weight)
        t = nn.Linear(2, 2)
        for (k, v), (k2, v2) in zip(m.state_dict().items(), t.state_dict().items()):
            v2.copy_(v * 0.5)
        show(t.weight)
        tsd = t.state_dict()
        for k, v in m.state_dict().items():
            tsd[k] += v
        show(t.weight)
        for k in tsd:
            tsd[k] = tsd[k] * 2
        t.load_state_dict(tsd)
        show(t.weight)
        for p, q in zip(t.parameters(), m.parameters()):
            p.data.mul_(0.9).add_(q.data, alpha=0.1)
        show(t.weight)
        for p, q in zip(t.parameters(), m.parameters()):
            p.data = q.data * 0.5 + p.data * 0.5
        show(t.weight)
    """,
    "means of nothing": """
        x = torch.ones(2, 3)
        m = x > 5
        show(x[m].mean(), x[x > 5].mean(), torch.mean(x[~m]), x.masked_select(m).mean(), (x[m] * 2).mean())
        sel = x[m]
        show(
            sel.mean(),
            sel.float().abs().mean(),
            x[x[:, 0] > 5].mean(0),
            x.mean(),
            x[m].mean(dtype=torch.float64) if True else 0,
        )
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")
