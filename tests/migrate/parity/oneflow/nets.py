"""The models in OneFlow: Clean as it should be, Planted with faults."""

import math

import oneflow as torch
import oneflow.nn as nn
import oneflow.nn.functional as F


class ConvNet(nn.Module):
    def __init__(self, width=8, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.hidden = nn.Linear(width, width)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = x + F.relu(self.bn2(self.conv2(x)))
        x = x.mean(dim=(2, 3))
        return self.head(F.relu(self.hidden(x)))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(self.norm1(x)).chunk(3, dim=-1)
        q = q.reshape(B, T, self.heads, C // self.heads).permute(0, 2, 1, 3)
        k = k.reshape(B, T, self.heads, C // self.heads).permute(0, 2, 3, 1)
        v = v.reshape(B, T, self.heads, C // self.heads).permute(0, 2, 1, 3)
        att = F.softmax(torch.matmul(q, k) / math.sqrt(C // self.heads), dim=-1)
        y = torch.matmul(att, v).permute(0, 2, 1, 3).reshape(B, T, C)
        x = x + self.proj(y)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Clean(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = ConvNet()
        self.block = Block(64, 4)

    def forward(self, image, tokens=None):
        return {"conv": self.conv(image), "block": self.block(tokens), "best": self.conv(image).argmax(dim=1)}


class Planted(nn.Module):
    """Every output but the first two is wrong."""

    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(64, eps=1e-5)
        self.square = nn.Linear(64, 64)
        self.bn = nn.BatchNorm2d(1)

    def forward(self, x):
        image = x.reshape(8, 1, 8, 8)
        halves = x[:, 32:].sum(dim=1, keepdim=True) + x[:, :32].sum(dim=1, keepdim=True)
        return {
            "right": self.square(x),
            "reassociated": x * x + self.square(x) + halves,
            "epsilon": self.norm(x),
            "gelu": 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
            "untransposed": torch.matmul(x, self.square.weight) + self.square.bias,
            "variance": (image - self.bn.running_mean) * self.bn.weight + self.bn.bias,
            "nan": torch.sqrt(x),
            "dtype": (x > 0).float(),
            "shape": x.mean(dim=1),
            "argmax": (-x).argmax(dim=1),
            "parts": x,
        }
