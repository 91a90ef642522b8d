"""A chain of layers of which each can be converted wrongly, and models with randomness."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Zoo(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.act = nn.GELU()
        self.pool = nn.AvgPool2d(3, stride=1, padding=1)
        self.norm = nn.LayerNorm(16, eps=1e-6)
        self.square = nn.Linear(16, 16)
        self.soft = nn.Softmax(dim=-1)

    def forward(self, x):
        h = self.pool(self.act(self.bn(self.conv(x))))
        h = F.interpolate(h, scale_factor=2.0, mode="bilinear", align_corners=False)
        t = self.norm(h.flatten(2)[:, :, :16])
        t = self.soft(self.square(t))
        return t * t.var(dim=1, unbiased=False, keepdim=True)


class Noisy(nn.Module):
    """Draws random numbers that nothing replays."""

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.jitter = Jitter()

    def forward(self, x):
        return self.jitter(self.body(x))


class Jitter(nn.Module):
    def forward(self, x):
        return x + torch.poisson(torch.ones(x.shape)) if self.training else x


class Dropped(nn.Module):
    """Dropout as a module and as a function."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 32)
        self.drop = nn.Dropout(0.3)
        self.last = nn.Linear(32, 2)

    def forward(self, x):
        h = self.drop(torch.tanh(self.first(x)))
        return self.last(F.dropout(h, 0.2, self.training))


def loss(output, x, scale):
    return scale * (output * output).mean()
