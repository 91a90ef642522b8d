"""What torch's modules give can be gone through once: ``params = net.parameters()``; Paddle's are lists."""

from __future__ import annotations

from collections.abc import Callable

from migrate.programs import Outcome

TWICE = """
    import torch
    from torch import nn

    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.BatchNorm1d(2))

    def count(params):
        if isinstance(params, torch.Tensor):
            params = [params]
        times = sum(1 for _ in params)
        return times, sum(1 for _ in params)

    class Trainer:
        def __init__(self, params):
            self.params = params

        def norm(self):
            return sum(1 for p in self.params)

    def params_of(model):
        return model.parameters()

    def unknown(x):
        params = x.parameters()
        return len(list(params)), len(list(params))

    params, layers, buffers = net.parameters(), net.modules(), net.buffers()
    params = net.parameters()
    opt = torch.optim.SGD(params, lr=0.1)
    layers = net.modules()
    buffers = net.buffers()
    trainer = Trainer(net.parameters())
    show(
        torch.nn.utils.clip_grad_norm_(params, 1.0),
        [len([x for x in layers if isinstance(x, nn.Linear)]), len(list(layers))],
        [len(list(buffers)), len(list(buffers))],
        count(net.parameters()),
        count(list(net.parameters())),
        count(params_of(net)),
        [trainer.norm(), trainer.norm()],
        unknown({"net": net}.get("net")),
    )
    held = net.parameters()
    for _ in range(2):
        show(sum(1 for p in held))
"""
# Gone through when the module has been given more.
LATER = """
    import torch
    from torch import nn
    class N(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(2, 2)
            self.layers = nn.ModuleList()
    net = N()
    ps = net.parameters()
    net.head = nn.Linear(2, 1)
    show(len(list(ps)), len(list(ps)))
    ms, bs = net.modules(), net.buffers()
    ms = net.modules()
    bs = net.buffers()
    net.layers.append(nn.Linear(1, 1))
    net.register_buffer("w", torch.ones(2))
    show(len(list(ms)), len(list(bs)))
    def build(other):
        params = other.parameters()
        other.add_module("tail", nn.BatchNorm1d(2))
        other.a.weight.data = torch.ones(2, 2)
        return sum(p.numel() for p in params)
    show(build(net), build({"n": N()}.get("n")))
    ps = net.parameters()
    opt = torch.optim.SGD(ps, lr=0.1)
    net.more = nn.Linear(1, 1)
    show(len(opt.param_groups[0]["params"]))
"""
# Gone through once, each of them: they stay lists.
ONCE = """
    import torch
    from torch import nn

    def optimizer(params, kind):
        if kind == "sgd":
            return torch.optim.SGD(params, lr=0.1)
        return torch.optim.Adam(params, lr=0.1)

    def listed(params):
        params = list(params)
        return len(params), len(params)

    def main(model: nn.Module):
        params = model.parameters()
        opt = optimizer(params, "adam")
        for p in model.parameters():
            p.requires_grad = True
        for _ in range(2):
            params = model.parameters()
            show(len(list(params)))
        return listed(model.parameters()), sum(p.numel() for p in model.parameters())

    show(main(nn.Linear(2, 2)))
"""


def test_what_is_gone_through_twice(agrees: Callable[..., Outcome]) -> None:
    agrees(TWICE, "paddle")


def test_what_is_gone_through_once(agrees: Callable[..., Outcome]) -> None:
    converted = agrees(ONCE, "paddle").converted["program.py"]
    assert "iter(" not in converted
    assert "helpers" not in converted


def test_what_is_given_later_is_among_them(agrees: Callable[..., Outcome]) -> None:
    agrees(LATER, "paddle")
