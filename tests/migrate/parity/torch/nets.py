"""Models of which the folders beside this one hold versions, clean and with faults planted."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


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
    """Every output but the first two goes wrong in the targets, each in its own way."""

    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(64, eps=1e-6)
        self.square = nn.Linear(64, 64)
        self.bn = nn.BatchNorm2d(1)

    def forward(self, x):
        image = x.reshape(8, 1, 8, 8)
        return {
            "right": self.square(x),
            "reassociated": self.square(x) + (x.sum(dim=1, keepdim=True) + x * x),
            "epsilon": self.norm(x),
            "gelu": F.gelu(x),
            "untransposed": self.square(x),
            "variance": self.bn(image),
            "nan": torch.sqrt(x * x),
            "dtype": x > 0,
            "shape": x.mean(dim=1, keepdim=True),
            "argmax": x.argmax(dim=1),
            "parts": (x, x),
        }
