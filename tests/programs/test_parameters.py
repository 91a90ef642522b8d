"""Parameters: fans of initializers, reset_parameters, attributes of modules that are tensors."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

TARGETS = ("paddle", "oneflow")
HEAD = """
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

def spread(w):
    return round(2 * math.log(w.detach().std().item()))
"""
# The logarithms of spreads, roughly: the same however the numbers are drawn.
FANS = {
    "a local": """
        w = torch.empty(50, 2000)
        nn.init.kaiming_uniform_(w, a=math.sqrt(5))
        show(spread(w * 40))
        nn.init.kaiming_normal_(w, mode="fan_out")
        show(spread(w))
    """,
    "a parameter": """
        w = nn.Parameter(torch.empty(50, 2000))
        nn.init.kaiming_normal_(w)
        show(spread(w * 10))
    """,
    "an own layer": """
        class Own(nn.Module):
            def __init__(self, n, m):
                super().__init__()
                self.w = nn.Parameter(torch.empty(m, n))
                self.reset_parameters()

            def reset_parameters(self):
                nn.init.kaiming_uniform_(self.w, a=math.sqrt(5))

        show(spread(Own(2000, 50).w * 40))
    """,
    "an embedding": """
        e = nn.Embedding(2000, 50)
        nn.init.kaiming_normal_(e.weight)
        show(spread(e.weight))
    """,
    "a Linear": """
        lin = nn.Linear(2000, 50)
        nn.init.kaiming_normal_(lin.weight, nonlinearity="relu")
        show(spread(lin.weight * 10))
        nn.init.kaiming_normal_(lin.weight, mode="fan_out", nonlinearity="relu")
        show(spread(lin.weight))
    """,
    "a Linear that is looked at": """
        lin = nn.Linear(2000, 50)
        nn.init.kaiming_normal_(lin.weight, mode="fan_in", nonlinearity="relu")
        show(spread(lin.weight * 10), lin.weight.shape[0])
    """,
    "modules by class": """
        def init(m):
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
            elif isinstance(m, nn.Embedding):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")

        net = nn.ModuleList([nn.Linear(2000, 50), nn.Embedding(2000, 50), nn.Conv2d(100, 50, 3)])
        net.apply(init)
        show(*[spread(m.weight * 10) for m in net])
    """,
    "modules by name of class": """
        def init(m):
            name = m.__class__.__name__
            if name.find("Linear") != -1 or name.find("Embedding") != -1:
                nn.init.kaiming_normal_(m.weight.data, a=0, mode="fan_in")

        net = nn.ModuleList([nn.Linear(2000, 50), nn.Embedding(2000, 50)])
        net.apply(init)
        show(*[spread(m.weight) for m in net])
    """,
    "parameters by rank": """
        net = nn.ModuleList([nn.Linear(2000, 50), nn.Embedding(2000, 50)])
        for p in net.parameters():
            if p.dim() > 1:
                nn.init.kaiming_normal_(p)
            else:
                nn.init.zeros_(p)
        show(*[spread(p) for p in net.parameters() if p.dim() > 1])
    """,
    "xavier": """
        w = torch.empty(50, 2000)
        nn.init.xavier_uniform_(w)
        show(spread(w * 10))
        nn.init.xavier_normal_(w, gain=nn.init.calculate_gain("relu"))
        show(spread(w * 10))
    """,
    "gains": """
        show(nn.init.calculate_gain("tanh"), nn.init.calculate_gain("leaky_relu", 0.2))
    """,
    "fans themselves": """
        lin, conv = nn.Linear(6, 4), nn.Conv2d(3, 8, 3)
        show(nn.init._calculate_fan_in_and_fan_out(lin.weight), nn.init._calculate_fan_in_and_fan_out(conv.weight))
        show(nn.init._calculate_fan_in_and_fan_out(torch.empty(3, 5)))
        show(nn.init._calculate_correct_fan(torch.empty(3, 5), "fan_in"))
    """,
    "a bias by its fan": """
        lin = nn.Linear(400, 3)
        fan_in, _ = nn.init._calculate_fan_in_and_fan_out(lin.weight)
        bound = 1 / math.sqrt(fan_in)
        nn.init.uniform_(lin.bias, -bound, bound)
        show(bound)
    """,
    "orthogonal": """
        w = nn.init.orthogonal_(torch.empty(3, 5))
        v = nn.init.orthogonal_(torch.empty(5, 3), gain=2.0)
        show(w @ w.t(), v.t() @ v)
    """,
    "eye and dirac": """
        show(nn.init.eye_(torch.empty(2, 3)), nn.init.dirac_(torch.empty(2, 2, 3)))
    """,
    "sparse": """
        w = nn.init.sparse_(torch.empty(10, 4), sparsity=0.3)
        show((w == 0).sum(dim=0))
    """,
    "truncated": """
        w = nn.init.trunc_normal_(torch.empty(100, 200), std=0.02)
        show(spread(w * 100), bool((w.abs() <= 2).all()))
    """,
    "returned": """
        w = torch.empty(3, 4)
        show(nn.init.constant_(w, 2.0) is w, nn.init.kaiming_uniform_(w) is w)
    """,
    "the data of a weight": """
        lin, emb = nn.Linear(300, 200), nn.Embedding(300, 200)
        nn.init.normal_(lin.weight.data, 5.0, 0.01)
        nn.init.normal_(emb.weight.data, mean=3.0, std=0.1)
        nn.init.uniform_(lin.bias.data, 2.0, 3.0)
        show(round(lin.weight.mean().item()), round(emb.weight.mean().item()), bool(lin.bias.min() >= 2))
        nn.init.xavier_uniform_(lin.weight.data, gain=100.0)
        show(bool(lin.weight.abs().max() > 8))
    """,
    "a row": """
        emb = nn.Embedding(4, 100)
        with torch.no_grad():
            nn.init.normal_(emb.weight[1], 7.0, 0.01)
            row = emb.weight[2]
            nn.init.uniform_(row, 3.0, 4.0)
        show(round(emb.weight[1].mean().item()), bool(emb.weight[2].min() >= 3))
    """,
    "parts": """
        w = nn.Parameter(torch.zeros(80, 20))
        with torch.no_grad():
            for part in w.chunk(4):
                nn.init.normal_(part, 5.0, 0.01)
        show(round(w.mean().item()))
    """,
    "handed over": """
        def init(t):
            nn.init.normal_(t, 5.0, 0.01)

        e = nn.Embedding(4, 50)
        init(e.weight.data)
        show(round(e.weight.mean().item()))
    """,
    "transposed": """
        w = torch.zeros(30, 20)
        nn.init.normal_(w.t(), 4.0, 0.01)
        nn.init.orthogonal_(w[:10, :10])
        show(round(w[20:].mean().item()), w[:10, :10] @ w[:10, :10].t())
    """,
    "a function of initialization": """
        def init(w, how=nn.init.kaiming_normal_):
            how(w, mode="fan_in")
            return w

        show(spread(init(torch.empty(50, 2000)) * 10))
    """,
}
RESET = {
    "of a Linear": """
        class Zero(nn.Linear):
            def reset_parameters(self):
                nn.init.constant_(self.weight, 0.5)
                if self.bias is not None:
                    nn.init.zeros_(self.bias)

        show(Zero(3, 2)(torch.ones(1, 3)), Zero(3, 2, bias=False)(torch.ones(1, 3)))
    """,
    "of a Conv2d": """
        class Ones(nn.Conv2d):
            def reset_parameters(self):
                nn.init.ones_(self.weight)
                nn.init.zeros_(self.bias)

        show(Ones(1, 2, 3, padding=1)(torch.ones(1, 1, 3, 3)))
    """,
    "of an Embedding": """
        class Counting(nn.Embedding):
            def reset_parameters(self):
                nn.init.constant_(self.weight, 0.25)

        show(Counting(4, 3)(torch.tensor([0, 2])))
    """,
    "of a LayerNorm": """
        class Halved(nn.LayerNorm):
            def reset_parameters(self):
                nn.init.constant_(self.weight, 0.5)
                nn.init.ones_(self.bias)

        show(Halved(3)(torch.tensor([[1.0, 2.0, 4.0]])))
    """,
    "of a BatchNorm": """
        class Doubled(nn.BatchNorm1d):
            def reset_parameters(self):
                super().reset_parameters()
                nn.init.constant_(self.weight, 2.0)

        bn = Doubled(2)
        show(bn(torch.tensor([[1.0, 2.0], [3.0, 5.0]])))
    """,
    "of a GRU": """
        class Flat(nn.GRU):
            def reset_parameters(self):
                for p in self.parameters():
                    nn.init.constant_(p, 0.1)

        out, h = Flat(2, 3, batch_first=True)(torch.ones(1, 2, 2))
        show(out, h)
    """,
    "with a constructor": """
        class Scaled(nn.Linear):
            def __init__(self, n, m, scale):
                self.scale = scale
                super().__init__(n, m)

            def reset_parameters(self):
                nn.init.constant_(self.weight, self.scale)
                nn.init.zeros_(self.bias)

        show(Scaled(2, 2, 3.0)(torch.ones(1, 2)))
    """,
    "after the constructor": """
        class Later(nn.Conv1d):
            def __init__(self, n, m):
                super().__init__(n, m, 1, bias=False)
                self.calls = getattr(self, "calls", 0)
                self.gain = 2.0
                self.reset_parameters()

            def reset_parameters(self):
                nn.init.constant_(self.weight, getattr(self, "gain", 1.0))

        show(Later(2, 1)(torch.ones(1, 2, 3)))
    """,
    "called by hand": """
        net = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.LayerNorm(2))
        with torch.no_grad():
            for p in net.parameters():
                p.fill_(7.0)
        for m in net.modules():
            if hasattr(m, "reset_parameters"):
                m.reset_parameters()
        show(bool(net[0].weight.abs().max() < 1), net[2].weight, net[2].bias)
    """,
    "called on a layer": """
        lin, norm = nn.Linear(30, 20), nn.LayerNorm(3)
        with torch.no_grad():
            lin.weight.fill_(9.0)
            norm.weight.fill_(9.0)
        lin.reset_parameters()
        norm.reset_parameters()
        show(bool(lin.weight.abs().max() < 1), norm.weight)
    """,
    "through super": """
        class Shifted(nn.Linear):
            def reset_parameters(self):
                super().reset_parameters()
                with torch.no_grad():
                    self.bias.fill_(1.5)

        show(Shifted(2, 3).bias)
    """,
    "underscored": """
        class Own(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(2, 2)
                self._reset_parameters()

            def _reset_parameters(self):
                for p in self.parameters():
                    if p.dim() > 1:
                        nn.init.xavier_uniform_(p)
                    else:
                        nn.init.zeros_(p)

        show(Own().a.bias)
    """,
}
ATTRIBUTES = {
    "None in the class, a tensor in the object": """
        class Detect(nn.Module):
            stride = None

            def __init__(self):
                super().__init__()
                self.stride = torch.tensor([8.0, 16.0])

            def forward(self, x):
                return x * self.stride

        d = Detect()
        show(d.stride, d(torch.ones(2)), list(d.state_dict()))
    """,
    "a number in the class, a tensor in the object": """
        class Scaled(nn.Module):
            scale = 1.0

            def __init__(self):
                super().__init__()
                self.scale = torch.tensor(3.0)

        show(Scaled().scale * 2)
    """,
    "a tensor that is no buffer": """
        class Plain(nn.Module):
            def __init__(self):
                super().__init__()
                self.grid = torch.arange(3.0)
                self.fc = nn.Linear(1, 1)

        m = Plain()
        show(list(m.state_dict()), [n for n, _ in m.named_buffers()], m.grid)
    """,
    "a tensor, then a number": """
        class State(nn.Module):
            def __init__(self):
                super().__init__()
                self.last = torch.zeros(2)

        m = State()
        m.last = 3
        show(m.last)
        m.last = None
        show(m.last)
        m.last = torch.ones(1)
        show(m.last)
    """,
    "None, then a tensor": """
        class Cache(nn.Module):
            def __init__(self):
                super().__init__()
                self.cache = None

            def forward(self, x):
                if self.cache is None:
                    self.cache = x * 2
                return self.cache

        m = Cache()
        show(m(torch.ones(2)), m(torch.zeros(2)), list(m.state_dict()))
    """,
    "buffers": """
        class Buffered(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.ones(2))
                self.register_buffer("lost", torch.zeros(2), persistent=False)

        m = Buffered()
        show(list(m.state_dict()), [n for n, _ in m.named_buffers()])
        m.kept = torch.full((2,), 5.0)
        show(m.state_dict()["kept"], m.lost)
    """,
    "a parameter assigned over": """
        class Own(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter(torch.ones(2))

        m = Own()
        m.w = nn.Parameter(torch.full((3,), 2.0))
        show(m.w, [tuple(p.shape) for p in m.parameters()])
        m.w = None
        show(m.w, len(list(m.parameters())))
    """,
    "a norm without weights": """
        norm, other = nn.InstanceNorm2d(3), nn.LayerNorm(2, elementwise_affine=False)
        show(norm.weight is None, norm.bias is None, len(list(norm.parameters())))
        show(other.weight is None, other.bias is None, len(list(other.parameters())))
        affine = nn.InstanceNorm2d(3, affine=True)
        show(affine.weight, affine.bias)
    """,
    "initialized where there is a weight": """
        def init(m):
            if getattr(m, "weight", None) is not None:
                nn.init.constant_(m.weight, 0.5)

        net = nn.Sequential(nn.Conv2d(1, 1, 1), nn.InstanceNorm2d(1), nn.ReLU())
        net.apply(init)
        show(net[0].weight)
    """,
    "a list of parameters": """
        class Several(nn.Module):
            def __init__(self):
                super().__init__()
                self.ws = nn.ParameterList([nn.Parameter(torch.ones(2) * i) for i in range(3)])

            def forward(self, x):
                for w in self.ws:
                    x = x + w
                return x * self.ws[1]

        m = Several()
        m.ws.append(nn.Parameter(torch.ones(2)))
        show(m(torch.zeros(2)), len(m.ws), [n for n, _ in m.named_parameters()])
    """,
    "a dict of parameters": """
        m = nn.ParameterDict({"a": nn.Parameter(torch.ones(2)), "b": nn.Parameter(torch.zeros(1))})
        show(sorted(m.keys()), "a" in m, m["a"], [n for n, _ in m.named_parameters()])
    """,
    "applied": """
        names = []
        net = nn.ModuleList([nn.Linear(1, 1), nn.Sequential(nn.ReLU(), nn.Tanh())])
        net.apply(lambda m: names.append(m.__class__.__name__))
        show([n for n in names if n in ("Linear", "ReLU", "Tanh")])
    """,
    "a bias that is not": """
        lin, conv = nn.Linear(2, 3, bias=False), nn.Conv2d(1, 1, 1, bias=False)
        show(lin.bias is None, conv.bias is None, [n for n, _ in lin.named_parameters()])
    """,
    "frozen": """
        net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
        for p in net[0].parameters():
            p.requires_grad_(False)
        net(torch.ones(1, 2)).sum().backward()
        show([p.grad is None for p in net.parameters()], [p.requires_grad for p in net.parameters()])
    """,
}
PROGRAMS = {
    f"{kind}: {name}": text
    for kind, table in (("fans", FANS), ("reset", RESET), ("attributes", ATTRIBUTES))
    for name, text in table.items()
}


# What OneFlow's rules mark, or compute otherwise: see docs/oneflow.md.
PADDLE_ALONE = {"fans: fans themselves", "fans: orthogonal", "fans: transposed"}
PADDLE_ALONE |= {"attributes: a list of parameters", "attributes: a dict of parameters"}


@pytest.mark.parametrize(
    ("name", "target"),
    [(name, target) for name in PROGRAMS for target in TARGETS if target == "paddle" or name not in PADDLE_ALONE],
)
def test_parameters(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), target)
