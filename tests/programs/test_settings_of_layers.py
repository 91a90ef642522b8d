"""What a program's own layers store where torch's layer below them keeps a setting is that setting."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn


class Read(nn.Conv2d):
    def __init__(self, given, made, size, stride=1, **more):
        super().__init__(given, made, size, stride, **more)
        self.stride = self.stride if len(self.stride) == 2 else [self.stride[0]] * 2

    def forward(self, x):
        high, wide = self.stride
        x = F.pad(x, [0, wide, 0, high])
        return F.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Padded(nn.Conv2d):
    def __init__(self, given, made, size, **more):
        super().__init__(given, made, size, **more)
        self.padding = (1, 1)


class Asked(nn.Conv2d):
    # What torch's layer keeps, asked for in ways in which a list and a tuple differ and in which they do not.

    def forward(self, x):
        told = [self.stride, self.padding, self.stride == (1, 1), [*self.dilation], max(self.kernel_size)]
        told += [{self.stride}] + [side for side in self.kernel_size] + [isinstance(self.stride, tuple)]
        told += [2 in self.dilation]
        other = nn.Conv2d(1, 1, 1)
        other.stride = self.stride
        other.dilation = self.dilation if x.ndim == 4 else (7, 7)
        told += [other.stride, other.dilation]
        return F.conv2d(x, self.weight, None, self.stride, padding=self.padding, dilation=self.dilation), told


class AskedUp(nn.ConvTranspose2d):
    def forward(self, x):
        more = self.output_padding
        return F.conv_transpose2d(
            x, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation
        ), more


class Causal(nn.Conv1d):
    def __init__(self, given, made, size):
        super().__init__(given, made, size)
        self.padding = (size - 1,)
        self.dilation = 2,
        self.momentum = 3

    def forward(self, x):
        return super().forward(x)[:, :, : -self.padding[0]], self.momentum


class Kept(nn.Conv2d):
    # Attributes of its own under names that targets' layers have for themselves.

    def __init__(self, given, made, size, padding):
        super().__init__(given, made, size, padding=padding)
        self._padding = (2 * self.padding[1], 0, 2 * self.padding[0], 0)
        self.padding = (0, 0)
        self._stride, self._groups = [3], "all"

    def forward(self, x, before=None):
        padding = list(self._padding)
        if before is not None and self._padding[2] > 0:
            x = torch.cat([before, x], dim=2)
            padding[2] -= before.shape[2]
        return super().forward(F.pad(x, padding)), self._stride, self._groups


class Norm(nn.BatchNorm2d):
    def __init__(self, features, momentum=0.1):
        super().__init__(features)
        self.momentum = momentum
        self.eps = 1e-3

    def forward(self, x):
        return super().forward(x), self.momentum, self.eps


def filled(layer):
    for p in layer.parameters():
        nn.init.constant_(p, 0.5)
    return layer


x = torch.arange(96.0).reshape(1, 2, 6, 8)
show([filled(layer)(x) for layer in (Read(2, 3, 3, 2), Padded(2, 3, 3))])
for asked in (Asked(2, 3, 3), Asked(2, 3, (3, 1), (2, 1), (1, 0)), Asked(2, 3, 3, padding=1, dilation=2)):
    show(filled(asked)(x))
for up in (AskedUp(2, 3, 3, 2), AskedUp(2, 2, (3, 2), 2, 1, (1, 0), 2)):
    show(filled(up)(x))
show(filled(Causal(8, 2, 3))(x[0, 0].t()[None].float()), Causal(8, 2, 3).padding)
kept = Kept(2, 3, 3, 1)
filled(kept)
show(kept(x), kept(x, x[:, :, :1]), kept._padding, kept.padding)
norm = Norm(2, 0.3)
show(norm(x), norm.running_mean, norm.momentum)
plain = nn.Conv2d(2, 3, 3)
filled(plain)
plain.padding = 1, 1
plain.stride = 2, 2
show(plain(x), plain.padding)
"""
SAME = """
plain.padding = "same"
plain.stride = 1, 1
show(plain(x))
for asked in (Asked(2, 3, 3, padding="same", dilation=2), Asked(2, 3, 3, padding="valid")):
    show(filled(asked)(x)[0], asked.padding)
"""

# As pretrained networks are made to keep their resolution.
DILATED = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(2, 2, 3, padding=1)
        self.conv2 = nn.Conv2d(2, 2, 3, stride=2, padding=1)
        self.down = nn.Sequential(nn.Conv2d(2, 2, 1, stride=2), nn.BatchNorm2d(2))

    def forward(self, x):
        return self.down(x) + self.conv2(self.conv1(x))


class Config:
    stride = 3


def filled(layer):
    for p in layer.parameters():
        nn.init.constant_(p, 0.1)
    return layer


x = torch.arange(96.0).reshape(1, 2, 6, 8) / 50
net, config = filled(Block()), Config()
for name, m in net.named_modules():
    if "conv2" in name:
        m.dilation, m.padding, m.stride = (2, 2), (2, 2), (1, 1)
    elif "down.0" in name:
        m.stride = (1, 1)
    elif "down.1" in name:
        m.eps = 0.5
for each in (config, filled(nn.Conv2d(2, 2, 3))):
    each.stride = 1, 2
    show(each.stride)
show(net.eval()(x), config.stride)
conv = nn.Conv2d(2, 2, 3)
filled(conv)
conv.dilation, conv.padding = (2, 1), (1, 1)
wrapped = nn.Sequential(nn.Conv1d(2, 3, 2))
for m in wrapped.modules():
    if hasattr(m, "padding"):
        m.padding = 1
for p in wrapped.parameters():
    nn.init.constant_(p, 0.1)
show(conv(x), wrapped(x.reshape(1, 2, 48)))
"""

BY_NAMES = """
import torch
from torch import nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, 3, stride=2)
        self.norm = nn.BatchNorm2d(1)
    def forward(self, x):
        return self.norm(self.conv(x))
class Config:
    stride = 3
def filled(net):
    for p in net.parameters():
        nn.init.constant_(p, 0.5)
    return net.eval()
x = torch.arange(49.0).reshape(1, 1, 7, 7)
def put(m, **kw):
    for k, v in kw.items():
        if hasattr(m, k):
            setattr(m, k, v)
net, config = filled(Block()), Config()
for m in net.modules():
    put(m, stride=(1, 1), eps=0.5, padding=(1, 1))
put(config, stride=7)
for each in (config, filled(nn.Conv2d(1, 1, 3))):
    setattr(each, "stride", (2, 2))
show(net(x), config.stride)
conv = filled(nn.Conv2d(1, 1, 3))
setattr(conv, "padding", (1, 1))
setattr(net.norm, "momentum", 0.3)
def adapt(named, options):
    for layer in named:
        for option in options:
            setattr(layer, option, options[option])
adapt([conv], {"dilation": (2, 2)})
adapt([config], {"dilation": 5, "other": [1]})
net.train()
show(conv(x), net(x), net.norm.running_mean, config.dilation, config.other)
"""


# What other modes than zeros pad is settled when the layer is made.
PADDED = """
import torch
from torch import nn
def filled(c):
    for p in c.parameters(): nn.init.constant_(p, 0.5)
    return c
x = torch.arange(25.0).reshape(1, 1, 5, 5)
for mode in ("circular", "reflect", "replicate"):
    c = filled(nn.Conv2d(1, 1, 3, padding=1, padding_mode=mode))
    show(c(x), c.padding)
    c.padding = (2, 2)
    show(c(x), c.padding)
    c.stride, c.dilation = (2, 2), (2, 2)
    show(c(x))
    c.half().float()
c = filled(nn.Conv1d(1, 1, 3, padding=1, padding_mode="circular"))
show(c(x[:, 0, :1]))
c.padding = (0,)
show(c(x[:, 0, :1]))
c = filled(nn.Conv2d(1, 1, 4, padding="same", dilation=2))
show(c(x))
c.padding = (1, 1)
c.dilation = (1, 1)
show(c(x))
import copy
show(copy.deepcopy(c)(x), list(c.state_dict()))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_padding_is_set_of_layers_that_pad_by_themselves(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(PADDED, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_stores_by_name_reach_it(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(BY_NAMES, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_stores_to_any_layer_reach_it(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(DILATED, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_stores_reach_the_layer(agrees: Callable[..., Outcome], target: str) -> None:
    # OneFlow's convolutions take no text.
    agrees(PROGRAM if target == "oneflow" else PROGRAM + SAME, target)


PROPERTY = """
import torch
from torch import nn


class Strided(nn.Conv2d):
    @property
    def stride(self):
        return (2, 2)

    @stride.setter
    def stride(self, value):
        pass


conv = Strided(1, 1, 3)
for p in conv.parameters():
    nn.init.constant_(p, 0.5)
show(conv(torch.arange(49.0).reshape(1, 1, 7, 7)))
"""


def test_properties_over_settings_are_marked(agrees: Callable[..., Outcome], announced: Callable[..., Outcome]) -> None:
    announced(PROPERTY, "paddle")
    agrees(PROPERTY, "oneflow")


# Of what may be one of several layers: in Paddle the statistics are among the parameters.
FILLED = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2))

    def forward(self, x):
        return self.down(x)


def filled(layer):
    for p in layer.parameters():
        nn.init.constant_(p, 0.1)
    return layer


net, other = filled(Block()), filled(nn.Conv2d(2, 2, 1))
x = torch.arange(2.0).reshape(1, 2, 1, 1)
show(net.eval()(x), other(x), len(list(net.parameters())))
"""


def test_statistics_are_no_parameters_of_one_of_several(agrees: Callable[..., Outcome]) -> None:
    agrees(FILLED, "paddle")


NOT_TRACKED = """
import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
for p in net.parameters():
    nn.init.constant_(p, 0.5)
for m in net.modules():
    if isinstance(m, nn.BatchNorm1d):
        m.track_running_stats = False
x = torch.tensor([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]])
show(net(x), net[1].running_mean)
net.eval()
show(net(x))
for m in net.modules():
    if isinstance(m, nn.BatchNorm1d):
        m.track_running_stats = True
net.train()
net(x)
show(net[1].running_mean, net[1].running_var)
"""
STATE = """
import torch
import torch.nn as nn
m = nn.BatchNorm1d(2)
m(torch.tensor([[1.0, 2.0], [3.0, 5.0]]))
show(m.state_dict() if isinstance(m, nn.Module) else None)
"""


def test_statistics_that_are_no_longer_kept(agrees) -> None:
    agrees(NOT_TRACKED, "oneflow")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_state_that_is_shown_on_a_condition(agrees, target: str) -> None:
    agrees(STATE, target)
