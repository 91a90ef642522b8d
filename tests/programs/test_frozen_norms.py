"""Normalization of which the weight or the bias is frozen alone."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

TARGETS = ("paddle", "oneflow")
HEAD = """
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.from_numpy(np.linspace(-1, 1, 36, dtype=np.float32).reshape(2, 2, 3, 3))
"""
TRAINED = {
    "a bias of its own": """
        class Neck(nn.Module):
            def __init__(self):
                super().__init__()
                self.bottleneck = nn.BatchNorm2d(2)
                self.bottleneck.bias.requires_grad_(False)
                nn.init.constant_(self.bottleneck.weight, 0.7)
            def forward(self, x):
                return self.bottleneck(x)
        net = Neck()
    """,
    "all but biases": """
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2), nn.ReLU(), nn.InstanceNorm2d(2, affine=True))
        for p in net.parameters():
            nn.init.constant_(p, 0.3)
        for name, p in net.named_parameters():
            if "bias" not in name:
                p.requires_grad = False
    """,
    "by a list of names": """
        trained = ["weight"]
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))
        for p in net.parameters():
            nn.init.constant_(p, 0.3)
        for name, p in net.named_parameters():
            p.requires_grad = name.split(".")[-1] in trained
    """,
    "by several conditions": """
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))
        for p in net.parameters():
            nn.init.constant_(p, 0.3)
        for name, p in net.named_parameters():
            p.requires_grad = not name.startswith("0") and "bias" not in name
    """,
    "by any of some texts": """
        keys = ["1.weight", "0."]
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))
        for p in net.parameters():
            nn.init.constant_(p, 0.3)
        for name, p in net.named_parameters():
            p.requires_grad_(any(key in name for key in keys))
    """,
    "in a comprehension": """
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))
        for p in net.parameters():
            nn.init.constant_(p, 0.3)
        [p.requires_grad_(False) for name, p in net.named_parameters() if name.endswith("bias")]
    """,
    "all but those passed over": """
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))
        for p in net.parameters():
            nn.init.constant_(p, 0.3)
        for name, p in net.named_parameters():
            if "bias" not in name:
                continue
            p.requires_grad = False
    """,
    "in a list": """
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))
        for p in net.parameters():
            nn.init.constant_(p, 0.3)
        biases = [p for name, p in net.named_parameters() if name.endswith(".bias")]
        for p in biases:
            p.requires_grad = False
    """,
    "by its name": """
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))
        for p in net.parameters():
            nn.init.constant_(p, 0.3)
        dict(net.named_parameters())["1.bias"].requires_grad = False
        net.get_parameter("0.bias").requires_grad = False
    """,
    "by number": """
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))
        for i, p in enumerate(net.parameters()):
            nn.init.constant_(p, 0.3)
            if i < 3:
                p.requires_grad_(False)
    """,
}
TRAINING = """
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.5)
for _ in range(3):
    opt.zero_grad()
    ((net(x) - x) ** 2).mean().backward()
    opt.step()
show([p.detach() for p in net.parameters()])
"""
FUNCTIONS = """
x.requires_grad_()
m, v = torch.zeros(2), torch.ones(2)
w, b = torch.tensor([0.5, 2.0], requires_grad=True), torch.tensor([0.5, 2.0], requires_grad=True)
(F.batch_norm(x, m, v, w) * x).sum().backward()
(F.batch_norm(x, m, v, w.detach(), b) * x).sum().backward()
(F.batch_norm(x, m, v, bias=b, training=True) * x).sum().backward()
(F.batch_norm(x, None, None, w, None, True) * x).sum().backward()
(F.instance_norm(x, weight=w) * x).sum().backward()
(F.instance_norm(x, weight=w, bias=b.detach()) * x).sum().backward()
show(w.grad, b.grad, x.grad)
"""

ADAPTED = """
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.proj = nn.Linear(4, 4)
        self.down = nn.Linear(4, 2, bias=False)
        self.scale = nn.Parameter(torch.tensor([1.0, 0.5, 2.0, 1.5]))
    def forward(self, x):
        x = x + self.down(x).repeat(1, 2)
        return F.layer_norm(self.proj(self.norm(x)), (4,), self.scale)
net = Block()
for i, p in enumerate(net.parameters()):
    p.data.copy_(torch.linspace(-0.5 + 0.1 * i, 1.0, p.numel()).view(p.shape))
for name, p in net.named_parameters():
    if "down" not in name:
        p.requires_grad = False
x = torch.from_numpy(np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4))
opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.5)
for _ in range(3):
    opt.zero_grad()
    ((net(x) - x) ** 2).mean().backward()
    opt.step()
show([p.detach() for p in net.parameters()])
"""
ENCODER = """
import torch
import torch.nn as nn
net = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 + 0.02 * i)
for norm in (net.norm1, net.norm2):
    norm.weight.data.copy_(torch.tensor([0.5, 2.0, 1.0, 1.5]))
net.requires_grad_(False)
x = torch.linspace(-1, 1, 24).mul(7).sin().detach().view(3, 2, 4).requires_grad_()
(net(x) * x).sum().backward()
show(x.grad)
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", TRAINED)
def test_trains_what_is_not_frozen(name: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(TRAINED[name]) + TRAINING, target)


def test_functions_give_each_its_gradient(agrees: Callable[..., object]) -> None:
    agrees(HEAD + FUNCTIONS, "paddle")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("program", [ADAPTED, ENCODER])
def test_frozen_layers_hand_on_the_right_gradient(program: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(program, target)


def test_freezing_a_whole_model_leaves_the_targets_own_layers(agrees) -> None:
    program = """
        import torch
        import torch.nn as nn
        net = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))
        for name, p in net.named_parameters():
            if name.startswith("0"):
                p.requires_grad = False
        for p in net.parameters():
            p.requires_grad_(False)
        show([p.requires_grad for p in net.parameters()])
    """
    assert "nn.BatchNorm2D(2)" in agrees(program, "paddle").converted["program.py"]


CONSTANT = """
    import torch
    import torch.nn.functional as F
    from torch import nn
    class Norm(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.tensor([0.5, 2.0, 1.0]))
            self.fixed = nn.Parameter(torch.tensor([0.5, 2.0, 1.0]), requires_grad=False)
            self.register_buffer("scale", torch.tensor([0.5, 2.0, 1.0]))
            self.plain = torch.tensor([0.5, 2.0, 1.0])
        def forward(self, x):
            y = F.layer_norm(x, (3,), self.weight) + F.layer_norm(x, (3,), self.fixed)
            return y + F.layer_norm(x, (3,), weight=self.scale) + torch.layer_norm(x, (3,), self.plain)
    def normed(x, scale):
        return F.layer_norm(x, x.shape[-1:], scale)
    x = torch.tensor([[0.2, -1.0, 3.0], [1.5, 0.3, -0.4]], requires_grad=True)
    w = torch.tensor([0.5, 2.0, 1.0])
    net = Norm()
    torch.sin(F.layer_norm(x, (3,), w)).sum().backward()
    show(x.grad)
    torch.sin(net(x) + normed(x, w)).sum().backward()
    show(x.grad, net.weight.grad)
"""


@pytest.mark.parametrize("target", TARGETS)
def test_weights_that_are_no_parameters(agrees: Callable[..., object], target: str) -> None:
    agrees(CONSTANT, target)


def test_a_parameter_is_given_to_the_function_itself(agrees: Callable[..., object]) -> None:
    found = agrees(
        """
        import torch
        import torch.nn.functional as F
        from torch import nn

        class Norm(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(3))

            def forward(self, x):
                return F.layer_norm(x, (3,), self.scale)

        show(Norm()(torch.tensor([[0.2, -1.0, 3.0]])))
        """,
        "paddle",
    )
    assert "F.layer_norm(x, (3,), self.scale)" in found.converted["program.py"]  # type: ignore[attr-defined]


ASKED = {
    "of autograd.grad": "show(*torch.autograd.grad(torch.sin(net(x)).sum(), x))",
    "of torch.func": "show(torch.func.grad(lambda v: torch.sin(net(v)).sum())(x.detach()))",
}


@pytest.mark.parametrize("asked", ASKED)
def test_gradients_that_leave_out_a_weight(agrees: Callable[..., object], asked: str) -> None:
    """Paddle's layer_norm then hands a wrong gradient to its input."""
    program = """
import torch
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)
        self.both = nn.LayerNorm([2, 3])
        self.scale = nn.Parameter(torch.tensor([0.5, 2.0, 1.0]))
        self.layer = nn.TransformerEncoderLayer(3, 1, 4, dropout=0.0, batch_first=True)
        with torch.no_grad():
            self.norm.weight.copy_(torch.tensor([0.5, 2.0, -1.0]))
            for p in self.layer.parameters():
                nn.init.constant_(p, 0.3)
            self.layer.norm2.weight.copy_(torch.tensor([0.5, 2.0, -1.0]))

    def forward(self, x):
        return self.layer(self.normed(x)[None])[0]

    def normed(self, x):
        return self.both(self.norm(x)) + F.layer_norm(x, (3,), self.scale)

net = Net()
x = torch.tensor([[0.2, -1.0, 3.0], [1.5, 0.3, -0.4]], requires_grad=True)
"""
    agrees(program + ASKED[asked], "paddle")
