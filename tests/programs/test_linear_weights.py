"""A Linear's weight is (out, in) to the program's own code, whatever the target keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from textwrap import dedent

import pytest

from rewriters.convert import convert_sources
from rewriters.target import load_target

TARGETS = ("paddle", "oneflow")
HEAD = """
import copy
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def numbers(*shape):
    n = 1
    for size in shape:
        n *= size
    return torch.arange(float(n)).reshape(shape) / n - 0.3

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 2)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))

x = numbers(5, 3)
"""

LOOKS = {
    "written": """
        net = Net()
        with torch.no_grad():
            net.a.weight.copy_(numbers(4, 3))
            net.a.bias.zero_()
        show(net.a(x))
    """,
    "used transposed": """
        lin = nn.Linear(3, 4, bias=False)
        lin.weight.data = numbers(4, 3)
        show(x @ lin.weight.t(), lin(x))
    """,
    "a local, functional": """
        lin = nn.Linear(3, 4)
        fill(lin)
        w = lin.weight
        show(F.linear(x, w), F.linear(x, w, lin.bias) - lin(x))
    """,
    "rows pruned": """
        net = Net()
        fill(net)
        with torch.no_grad():
            rows = net.a.weight.abs().sum(dim=1)
            keep = rows > rows.median()
            net.a.weight[~keep] = 0
        show(rows, net(x))
    """,
    "one row filled": """
        lin = nn.Linear(4, 4)
        fill(lin)
        with torch.no_grad():
            lin.weight[1].fill_(2.0)
        show(lin(numbers(2, 4)))
    """,
    "a column by index": """
        lin = nn.Linear(4, 4)
        fill(lin)
        with torch.no_grad():
            lin.weight[:, 0] = 0.0
        show(lin(numbers(2, 4)))
    """,
    "from numpy": """
        import numpy as np
        lin = nn.Linear(2, 3)
        lin.weight.data = torch.from_numpy(np.arange(6, dtype=np.float32).reshape(3, 2))
        lin.bias.data.fill_(0.5)
        show(lin(numbers(2, 2)))
    """,
    "gradients by row": """
        net = Net()
        fill(net)
        net(x).pow(2).sum().backward()
        show(net.a.weight.grad[0], net.b.weight.grad.norm(dim=1))
    """,
    "shape": """
        lin = nn.Linear(3, 5)
        show(lin.weight.shape[0], lin.weight.size(1), list(lin.weight.shape))
    """,
    "norm of rows": """
        lin = nn.Linear(3, 3)
        fill(lin)
        show(lin.weight.norm(dim=1), lin.weight.norm(p=2, dim=1, keepdim=True), lin.weight.mean(0))
    """,
    "a new parameter": """
        lin = nn.Linear(3, 3)
        lin.weight = nn.Parameter(numbers(3, 3))
        nn.init.zeros_(lin.bias)
        show(lin(x))
    """,
    "tied linears": """
        class Tied(nn.Module):
            def __init__(self):
                super().__init__()
                self.enc = nn.Linear(4, 4, bias=False)
                self.dec = nn.Linear(4, 4, bias=False)
                self.dec.weight = self.enc.weight

            def forward(self, x):
                return self.dec(torch.tanh(self.enc(x)))

        net = Tied()
        with torch.no_grad():
            net.enc.weight.copy_(numbers(4, 4))
        show(net(numbers(2, 4)), len(list(net.parameters())))
    """,
    "tied and transposed": """
        class Auto(nn.Module):
            def __init__(self):
                super().__init__()
                self.enc = nn.Linear(4, 4)

            def forward(self, x):
                return F.linear(torch.tanh(self.enc(x)), self.enc.weight.t())

        net = Auto()
        fill(net)
        show(net(numbers(2, 4)))
    """,
    "a filter by shape": """
        net = Net()
        show([n for n, p in net.named_parameters() if p.ndim == 2 and p.shape[0] > 3])
    """,
    "in a list": """
        class Deep(nn.Module):
            def __init__(self, sizes):
                super().__init__()
                self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x).relu()
                return x

        net = Deep([3, 3, 3])
        for layer in net.layers:
            with torch.no_grad():
                layer.weight.copy_(torch.triu(numbers(3, 3)))
                layer.bias.zero_()
        show(net(x))
    """,
    "in a Sequential": """
        net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 1))
        fill(net)
        with torch.no_grad():
            net[0].weight[0, 2] = 5.0
        show(net(x), net[2].weight)
    """,
    "an aliased layer": """
        net = Net()
        fill(net)
        layers = {"first": net.a, "second": net.b}
        for name, layer in layers.items():
            show(name, layer.weight.sum(dim=0))
    """,
    "given to a function": """
        def row(w, i):
            return w[i]

        net = Net()
        fill(net)
        show(row(net.a.weight, 1))
    """,
    "given to a function by name": """
        def scale_rows(weight, by):
            with torch.no_grad():
                weight.mul_(by[:, None])

        lin = nn.Linear(3, 3)
        fill(lin)
        scale_rows(weight=lin.weight, by=torch.tensor([1.0, 2.0, 3.0]))
        show(lin(x))
    """,
    "returned by a method": """
        class Head(nn.Module):
            def __init__(self):
                super().__init__()
                self.proj = nn.Linear(3, 3)

            def matrix(self):
                return self.proj.weight

        head = Head()
        fill(head)
        show(head.matrix() @ torch.ones(3), head.proj(x))
    """,
    "a property": """
        class Head(nn.Module):
            def __init__(self):
                super().__init__()
                self.proj = nn.Linear(3, 3)

            @property
            def kernel(self):
                return self.proj.weight

        head = Head()
        fill(head)
        show(head.kernel.diagonal(), head.kernel[0])
    """,
    "the state dict": """
        net = Net()
        fill(net)
        state = net.state_dict()
        show(state["a.weight"], {k: list(v.shape) for k, v in state.items()})
    """,
    "a state dict made by hand": """
        net = Net()
        net.load_state_dict({
            "a.weight": numbers(4, 3), "a.bias": numbers(4), "b.weight": numbers(2, 4), "b.bias": numbers(2),
        })
        show(net(x))
    """,
    "a state dict changed": """
        net = Net()
        fill(net)
        state = net.state_dict()
        state["a.weight"] = numbers(4, 3)
        net.load_state_dict(state)
        show(net(x))
    """,
    "a state dict averaged": """
        one, two = Net(), Net()
        fill(one), fill(two)
        with torch.no_grad():
            two.a.weight.mul_(3.0)
        mean = {k: (v + two.state_dict()[k]) / 2 for k, v in one.state_dict().items()}
        net = Net()
        net.load_state_dict(mean)
        show(net(x), mean["b.weight"])
    """,
    "serialized": """
        net = Net()
        fill(net)
        out = []
        for p in net.parameters():
            out.extend(p.detach().view(-1).tolist())
        show(out)
    """,
    "as numpy": """
        lin = nn.Linear(2, 3)
        fill(lin)
        show(lin.weight.detach().numpy().tolist(), lin.weight.data.numpy()[0, 1].item())
    """,
    "one vector": """
        net = Net()
        fill(net)
        show(torch.cat([p.detach().flatten() for p in net.parameters()]))
        show(nn.utils.parameters_to_vector(net.parameters()))
    """,
    "weight standardized": """
        class Standard(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(3, 4)

            def forward(self, x):
                w = self.lin.weight
                w = (w - w.mean(dim=1, keepdim=True)) / (w.std(dim=1, keepdim=True) + 1e-5)
                return F.linear(x, w, self.lin.bias)

        net = Standard()
        fill(net)
        show(net(x))
    """,
    "LoRA": """
        class LoRA(nn.Module):
            def __init__(self, base, rank):
                super().__init__()
                self.base = base
                self.A = nn.Parameter(numbers(rank, base.in_features))
                self.B = nn.Parameter(numbers(base.out_features, rank))

            def merge(self):
                with torch.no_grad():
                    self.base.weight.add_(self.B @ self.A)

            def forward(self, x):
                return self.base(x) + x @ self.A.t() @ self.B.t()

        net = LoRA(nn.Linear(3, 4), 2)
        fill(net.base)
        show(net(x))
        net.merge()
        show(net.base(x))
    """,
    "found by a path": """
        import functools
        import operator

        def found(model, path):
            for name in path.split("."):
                model = getattr(model, name)
            return model

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.one, self.two = nn.Linear(3, 4), nn.Linear(3, 4)

        net = Net()
        fill(net)
        show(found(net, "one.weight").shape, functools.reduce(getattr, "two.weight".split("."), net)[0])
        show(operator.attrgetter("one.weight")(net).sum(1), operator.attrgetter("two." + "weight")(net).shape)
    """,
    "a hypernetwork": """
        hyper = nn.Linear(2, 12)
        main = nn.Linear(3, 4)
        fill(hyper), fill(main)
        delta = hyper(torch.tensor([0.5, -1.0])).view(main.weight.shape)
        show(F.linear(x, main.weight + delta, main.bias))
    """,
    "experts stacked": """
        experts = nn.ModuleList([nn.Linear(3, 2) for _ in range(2)])
        for e in experts:
            fill(e)
        w = torch.stack([e.weight for e in experts])
        b = torch.stack([e.bias for e in experts])
        show(torch.einsum("ni,koi->kno", x, w) + b[:, None])
    """,
    "by getattr": """
        net = Net()
        fill(net)
        for name in ("a", "b"):
            show(getattr(net, name).weight.sum(1))
        show(getattr(net.a, "weight")[0])
    """,
    "by get_parameter": """
        net = Net()
        fill(net)
        show(net.get_parameter("a.weight")[0])
    """,
    "weights by setattr": """
        lin = nn.Linear(3, 3)
        fill(lin)
        setattr(lin, "weight", nn.Parameter(numbers(3, 3)))
        show(lin(x))
    """,
    "norm of rows in a loss": """
        net = Net()
        fill(net)
        penalty = sum(m.weight.norm(dim=1).sum() for m in net.modules() if isinstance(m, nn.Linear))
        loss = net(x).sum() + 0.1 * penalty
        loss.backward()
        show(penalty, net.a.weight.grad)
    """,
    "spectral norm by hand": """
        lin = nn.Linear(3, 4)
        fill(lin)
        u = torch.ones(4)
        for _ in range(3):
            v = F.normalize(lin.weight.t() @ u, dim=0)
            u = F.normalize(lin.weight @ v, dim=0)
        sigma = torch.dot(u, torch.mv(lin.weight, v))
        show(sigma)
    """,
    "a class handed on": """
        class Block(nn.Module):
            def __init__(self, layer=nn.Linear):
                super().__init__()
                self.fc = layer(3, 3)

            def forward(self, x):
                return self.fc(x)

        block = Block()
        fill(block)
        with torch.no_grad():
            block.fc.weight[0].zero_()
        show(block(x))
    """,
    "an embedding's weight as a Linear's": """
        class LM(nn.Module):
            def __init__(self):
                super().__init__()
                self.emb = nn.Embedding(5, 3)
                self.head = nn.Linear(3, 5, bias=False)
                self.head.weight = self.emb.weight

            def forward(self, ids):
                return self.head(self.emb(ids))

        net = LM()
        fill(net)
        show(net(torch.tensor([0, 3])))
    """,
    "copied into an embedding": """
        lin, emb = nn.Linear(3, 5), nn.Embedding(5, 3)
        fill(lin)
        emb.weight.data.copy_(lin.weight.data)
        show(emb(torch.tensor([1, 4])))
    """,
    "printed sizes": """
        net = Net()
        show(*[(n, tuple(p.shape)) for n, p in net.named_parameters()])
        show(f"{net.a.weight.shape[0]}x{net.a.weight.shape[1]}")
    """,
    "per-row learning rates": """
        lin = nn.Linear(3, 3)
        fill(lin)
        lin(x).pow(2).sum().backward()
        rates = torch.tensor([0.1, 0.2, 0.3])
        with torch.no_grad():
            lin.weight.sub_(rates[:, None] * lin.weight.grad)
        show(lin(x))
    """,
    "a hook on a row": """
        lin = nn.Linear(3, 3)
        fill(lin)
        mask = torch.tensor([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
        lin.weight.register_hook(lambda g: g * mask)
        lin(x).pow(2).sum().backward()
        show(lin.weight.grad)
    """,
    "initialized with a gain per row": """
        def init(m):
            if isinstance(m, nn.Linear):
                with torch.no_grad():
                    m.weight.copy_(torch.eye(m.out_features, m.in_features))
                    m.bias.zero_()

        net = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 3))
        net.apply(init)
        show(net(x))
    """,
    "a class looked up": """
        KINDS = {"linear": nn.Linear, "conv": nn.Conv1d}
        lin = KINDS["linear"](3, 2)
        fill(lin)
        show(tuple(lin.weight.shape), lin(x))
    """,
    "rows taken over": """
        old, new = nn.Linear(3, 2), nn.Linear(3, 4)
        fill(old), fill(new)
        with torch.no_grad():
            new.weight[:2] = old.weight
            new.bias[:2] = old.bias
        show(new(x))
    """,
    "called with parameters made by hand": """
        lin = nn.Linear(3, 2)
        fill(lin)
        given = {k: v * 2 for k, v in lin.named_parameters()}
        show(torch.func.functional_call(lin, given, (x,)))
        given = {"weight": numbers(2, 3), "bias": torch.zeros(2)}
        show(torch.func.functional_call(lin, given, (x,)))
    """,
    "normalization folded in": """
        lin, norm = nn.Linear(3, 2), nn.BatchNorm1d(2)
        fill(lin)
        norm.running_mean.fill_(0.5)
        norm.running_var.fill_(4.0)
        norm.eval()
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        show(F.linear(x, lin.weight * scale[:, None], (lin.bias - norm.running_mean) * scale + norm.bias), norm(lin(x)))
    """,
    "fast weights": """
        lin = nn.Linear(3, 2)
        fill(lin)
        w, b = lin.weight, lin.bias
        loss = F.linear(x, w, b).pow(2).sum()
        gw, gb = torch.autograd.grad(loss, [w, b], create_graph=True)
        fast = [w - 0.1 * gw, b - 0.1 * gb]
        show(F.linear(x, fast[0], fast[1]))
    """,
    "entries of the state copied into": """
        net = nn.Sequential(nn.Linear(3, 2))
        for k, v in net.state_dict().items():
            v.copy_(numbers(*v.shape))
        show(net(x))
    """,
    "two files": {
        "program.py": """
            import torch
            from model import Net
            net = Net()
            with torch.no_grad():
                net.fc.weight.copy_(torch.arange(9.0).view(3, 3))
                net.fc.bias.zero_()
            show(net(torch.ones(1, 3) * torch.tensor([[1.0, 2.0, 3.0]])))
        """,
        "model.py": """
            import torch.nn as nn

            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.fc = nn.Linear(3, 3)

                def forward(self, x):
                    return self.fc(x)
        """,
    },
}


WITHIN = """
layer, whole = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), nn.Transformer(4, 2, 1, 1, 6, dropout=0.0)
show(layer.linear1.weight.shape[0])
for m in layer.modules():
    if isinstance(m, nn.Linear):
        show(tuple(m.weight.shape))
with torch.no_grad():
    for p in [*layer.parameters(), *whole.parameters()]:
        p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p).sin())
show(layer(numbers(3, 2, 4)), whole(numbers(3, 2, 4), numbers(2, 2, 4)), whole.decoder.layers[0].linear2.weight)
"""


def test_weights_within_torchs_own_layers(agrees: Callable[..., object], announced: Callable[..., object]) -> None:
    """Transformers make their Linears themselves: of a class that derives from one they stay Paddle's."""
    agrees(HEAD + WITHIN, "paddle")
    derived = "class Own(nn.TransformerEncoderLayer):\n    pass\n\nlayer = Own(4, 2, 8, dropout=0.0)"
    announced(f"{HEAD}\n{derived}\nshow(layer.linear1.weight.shape[0])", "paddle")


TORCHS = "paddle.compat.nn.Linear"
FLAT = HEAD.replace("p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))", "p.fill_(0.5)")


def converted(program: str) -> str:
    path = PurePosixPath("program.py")
    return convert_sources({path: program.encode()}, load_target("paddle")).files[path].decode()


# OneFlow has no torch.func: marked there.
BOTH = [(name, target) for name in LOOKS for target in TARGETS if target == "paddle" or "made by hand" not in name]


@pytest.mark.parametrize(("name", "target"), BOTH)
def test_looks(agrees: Callable[..., object], name: str, target: str) -> None:
    program = LOOKS[name]
    agrees(HEAD + dedent(program) if isinstance(program, str) else program, target)


@pytest.mark.parametrize("name", [name for name, program in LOOKS.items() if isinstance(program, str)])
def test_decided_by_the_look_alone(name: str) -> None:
    """Without the helper above, which looks at all weights."""
    program = LOOKS[name]
    assert isinstance(program, str)
    assert TORCHS not in converted(FLAT)
    assert TORCHS in converted(FLAT + dedent(program))


DOES_NOT_LOOK = {
    "trained": """
        net = Net()
        opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.1)
        for _ in range(2):
            opt.zero_grad(set_to_none=True)
            F.mse_loss(net(x), torch.ones(5, 2)).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
    """,
    "trained by hand": """
        net, lr = Net(), 0.1
        net(x).sum().backward()
        with torch.no_grad():
            for p in net.parameters():
                p -= lr * p.grad
                p.grad = None
    """,
    "momentum by hand": """
        net = Net()
        buffers = {n: torch.zeros_like(p) for n, p in net.named_parameters()}
        net(x).sum().backward()
        for n, p in net.named_parameters():
            buffers[n].mul_(0.9).add_(p.grad)
            p.data.add_(buffers[n], alpha=-0.1)
    """,
    "an average kept": """
        class EMA:
            def __init__(self, model, decay):
                self.decay = decay
                self.shadow = {k: v.clone().detach() for k, v in model.state_dict().items()}

            def update(self, model):
                for k, v in model.state_dict().items():
                    self.shadow[k].mul_(self.decay).add_(v, alpha=1 - self.decay)

        ema = EMA(Net(), 0.9)
        ema.update(Net())
        Net().load_state_dict(ema.shadow)
    """,
    "a teacher": """
        student = Net()
        teacher = copy.deepcopy(student)
        for p in teacher.parameters():
            p.requires_grad_(False)
        for t, s in zip(teacher.parameters(), student.parameters()):
            t.data.mul_(0.99).add_(s.data, alpha=0.01)
    """,
    "initialized": """
        class Init(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 4)
                self.apply(self._init_weights)

            def _init_weights(self, m):
                if isinstance(m, nn.Linear):
                    nn.init.trunc_normal_(m.weight, std=0.02)
                    if m.bias is not None:
                        nn.init.zeros_(m.bias)
                elif isinstance(m, (nn.LayerNorm, nn.BatchNorm1d)):
                    nn.init.ones_(m.weight)
                    m.bias.data.zero_()
    """,
    "initialized with fans": """
        def init(m):
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")

        net = Net()
        net.apply(init)
        for p in net.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)
    """,
    "groups": """
        net = Net()
        decay = [p for n, p in net.named_parameters() if p.dim() >= 2]
        rest = [p for n, p in net.named_parameters() if p.dim() < 2]
        groups = [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}]
        opt = torch.optim.AdamW(groups, lr=1e-3)
        print(f"{sum(p.numel() for p in decay):,} of {sum(p.numel() for p in net.parameters()):,}")
        for group in opt.param_groups:
            group["lr"] = 1e-4
        print(f"lr {opt.param_groups[0]['lr']:g}")
    """,
    "saved and loaded": """
        net = Net()
        opt = torch.optim.Adam(net.parameters())
        torch.save({"model": net.state_dict(), "optimizer": opt.state_dict(), "epoch": 3}, "/tmp/no.pt")
        checkpoint = torch.load("/tmp/no.pt")
        state = checkpoint["model"]
        for k in list(state.keys()):
            if k.startswith("_orig_mod."):
                state[k[10:]] = state.pop(k)
        net.load_state_dict(state)
        start = checkpoint["epoch"] + 1
    """,
    "a part loaded": """
        net = Net()
        own, given = net.state_dict(), torch.load("/tmp/no.pt")
        kept = {k: v for k, v in given.items() if k in own and v.shape == own[k].shape}
        own.update(kept)
        net.load_state_dict(own)
    """,
    "frozen": """
        net = Net()
        for name, p in net.named_parameters():
            p.requires_grad = name.startswith("b")
        opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)
        print(sum(p.numel() for p in net.parameters() if p.requires_grad))
    """,
    "norms of all": """
        net = Net()
        net(x).sum().backward()
        total = torch.norm(torch.stack([p.grad.detach().norm(2) for p in net.parameters() if p.grad is not None]), 2)
        l1 = sum(p.abs().sum() for p in net.parameters())
        finite = all(torch.isfinite(p.grad).all() for p in net.parameters())
        print(total.item(), l1.item(), finite, net.a.weight.norm().item(), net.a.weight.device, net.a.weight.dtype)
    """,
    "a functional call": """
        net = Net()
        show(F.linear(x, net.a.weight, net.a.bias))
    """,
    "noise added": """
        net = Net()
        with torch.no_grad():
            for p in net.parameters():
                p.add_(torch.randn_like(p) * 0.01)
                p.clamp_(-1.0, 1.0)
    """,
    "unstructured pruning": """
        net = Net()
        for m in net.modules():
            if isinstance(m, nn.Linear):
                threshold = m.weight.abs().mean()
                mask = (m.weight.abs() > threshold).float()
                m.weight.data.mul_(mask)
        print(sum((p == 0).sum().item() for p in net.parameters()))
    """,
    "an optimizer of its own": """
        class Plain(torch.optim.Optimizer):
            def __init__(self, params, lr=1e-2, momentum=0.9):
                super().__init__(params, dict(lr=lr, momentum=momentum))

            @torch.no_grad()
            def step(self, closure=None):
                for group in self.param_groups:
                    for p in group["params"]:
                        if p.grad is None:
                            continue
                        state = self.state[p]
                        if len(state) == 0:
                            state["buffer"] = torch.zeros_like(p)
                        buffer = state["buffer"]
                        buffer.mul_(group["momentum"]).add_(p.grad)
                        p.add_(buffer, alpha=-group["lr"])

        net = Net()
        opt = Plain(net.parameters())
    """,
    "a convolution's weight": """
        conv, emb = nn.Conv1d(3, 4, 1), nn.Embedding(5, 3)
        conv.weight.data[0] = 1.0
        emb.weight[2].sum()
        net = Net()
    """,
}


@pytest.mark.parametrize("name", DOES_NOT_LOOK)
def test_stays_the_targets_own(name: str) -> None:
    assert TORCHS not in converted(FLAT + dedent(DOES_NOT_LOOK[name]))
