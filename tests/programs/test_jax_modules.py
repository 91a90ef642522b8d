"""Modules of a program's own in Flax NNX: methods, attributes, containers, tying, state, layers in torch's layout."""

from __future__ import annotations

from collections.abc import Callable

import pytest

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(net: nn.Module):
    state = net.state_dict()
    for number, (name, value) in enumerate(state.items()):
        if value.dtype == torch.float32:
            state[name] = (torch.arange(value.numel(), dtype=torch.float32).reshape(value.shape) + number).sin() + 1.5
    net.load_state_dict(state)
    return net

def image(*shape):
    count = 1
    for size in shape:
        count *= size
    return torch.arange(count, dtype=torch.float32).reshape(shape).cos()
"""

MEMBERS = """
class Block(nn.Module):
    def __init__(self, width: int, extra=None):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.scale = nn.Parameter(torch.ones(width))
        self.shift = None
        self.register_buffer("mask", torch.tril(torch.ones(width, width)))
        self.register_buffer("loose", torch.ones(1), persistent=False)
        self.later = None
        if extra is not None:
            self.later = extra

    def forward(self, x: torch.Tensor):
        h = self.fc(x) * self.scale + torch.relu(self.scale)
        h = h.masked_fill(self.mask[0] == 0, 0.5) + F.linear(x, self.fc.weight, self.fc.bias) * self.loose
        return h if self.later is None else self.later.forward(h)

class Wide(Block):
    def forward(self, x):
        return super().forward(x) + self.step(x)

    def step(self, x):
        return x * 2

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 3, padding_idx=0)
        self.blocks = nn.ModuleList([Block(3), Wide(3, nn.Linear(3, 3))])
        self.named = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Sequential(nn.Linear(3, 3), nn.Tanh())})
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = self.emb.weight

    def forward(self, ids):
        x = self.emb(ids)
        for block in self.blocks:
            x = block(x)
        for name, part in self.named.items():
            x = x + part(x)
        return self.head(x)

net = fill(Net())
out = net(torch.tensor([[1, 2], [0, 4]]))
show(out, out.shape)
show(sorted(net.state_dict()))
show([(name, tuple(p.shape), p.dim()) for name, p in net.named_parameters()])
show([name for name, _ in net.named_modules()], [name for name, _ in net.named_children()])
show(sum(p.numel() for p in net.parameters()), [name for name, _ in net.named_buffers()])
show(net.head.weight is net.emb.weight, len(net.blocks), "a" in net.named)
block = net.blocks[0]
show(block.fc.weight[0], block.fc.weight.shape, block.fc.weight.sum(), block.scale.sum())
block.mask = torch.zeros(3, 3)
show(block(image(2, 3)), net.training, net.eval().training, block.training)
table, back = nn.Embedding(5, 3), fill(nn.Linear(3, 5))
table.weight = back.weight
show(table.weight is back.weight, table.weight[4], back(image(2, 3)), table(torch.tensor([4, 1])))
"""

LAYER = """
def layer(made, *shape):
    fill(made)
    made.train()
    x = image(*shape)
    show(made(x))
    made.eval()
    show(made(x), sorted((name, tuple(value.shape)) for name, value in made.state_dict().items() if value.dim()))
"""

CONVOLUTIONS = """
layer(nn.Conv1d(2, 4, 3, padding=1, groups=2), 2, 2, 7)
layer(nn.Conv2d(3, 4, (3, 2), stride=2, padding=(1, 0), dilation=(1, 2), bias=False), 2, 3, 8, 9)
layer(nn.Conv2d(3, 4, 3, padding="same", padding_mode="reflect"), 3, 8, 9)
layer(nn.Conv3d(1, 2, 2), 1, 1, 3, 3, 3)
layer(nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1), 2, 3, 4, 5)
layer(nn.ConvTranspose1d(4, 6, 3, groups=2), 2, 4, 5)
"""

NORMS = """
layer(nn.BatchNorm2d(3), 2, 3, 4, 4)
layer(nn.BatchNorm1d(3, momentum=None), 4, 3)
layer(nn.BatchNorm1d(3, affine=False, track_running_stats=False), 4, 3)
layer(nn.InstanceNorm2d(3, affine=True, track_running_stats=True), 2, 3, 4, 4)
layer(nn.LayerNorm((3, 4)), 2, 3, 4)
layer(nn.GroupNorm(2, 4), 2, 4, 3)
layer(nn.RMSNorm(4), 2, 4)
"""

OTHERS = """
layer(nn.PReLU(3), 2, 3, 4)
layer(nn.Sequential(nn.ReflectionPad2d(1), nn.MaxPool2d(2), nn.GELU(), nn.Flatten(), nn.Softmax(dim=1)), 1, 2, 4, 4)
layer(nn.Sequential(nn.Upsample(scale_factor=2), nn.AvgPool2d(3, 2, 1), nn.LeakyReLU(0.2)), 1, 2, 4, 4)
layer(nn.AdaptiveAvgPool2d(2), 1, 2, 4, 4)
loss = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0]), label_smoothing=0.1)
show(loss(image(4, 3), torch.tensor([0, 2, 1, 1])), nn.MSELoss(reduction="sum")(image(3), torch.ones(3)))
show(nn.BCEWithLogitsLoss(pos_weight=torch.tensor([2.0]))(image(3), torch.ones(3)))
"""

INITIAL = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3)
        self.fc = nn.Linear(400, 100)
        self.apply(self.start)

    def start(self, m):
        if isinstance(m, nn.Conv2d):
            nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            nn.init.constant_(m.bias, 0.25)
        elif isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight)

torch.manual_seed(0)
net = Net()
bound = (6 / 500) ** 0.5
w = net.fc.weight
show(bool(w.abs().max() <= bound), bool(w.abs().max() > 0.98 * bound), net.conv.bias.sum())
show(bool((net.conv.weight.std() - (2 / 144) ** 0.5).abs() < 0.02))
plain = nn.Linear(400, 100)
show(bool(plain.weight.abs().max() <= 0.05), bool(plain.bias.max() > 0.045))
"""

ABSENT = """
class Norm(nn.Module):
    def __init__(self, width: int, bias: bool):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width) * 2)
        self.bias = nn.Parameter(torch.ones(width)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)

show(Norm(4, True)(image(2, 4)), Norm(4, False)(image(2, 4)))
"""


PROGRAMS = {
    "members": MEMBERS,
    "absent": ABSENT,
    "convolutions": LAYER + CONVOLUTIONS,
    "norms": LAYER + NORMS,
    "others": LAYER + OTHERS,
    "initial": INITIAL,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_modules(agrees: Callable[..., object], name: str) -> None:
    agrees(HEAD + PROGRAMS[name], "jax")
