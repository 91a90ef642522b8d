"""The models in Paddle: Clean as it should be, Planted with faults."""

import math

import paddle
import paddle.nn as nn
import paddle.nn.functional as F


class ConvNet(nn.Layer):
    def __init__(self, width=8, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2D(3, width, 3, padding=1, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(width)
        self.conv2 = nn.Conv2D(width, width, 3, padding=1, bias_attr=False)
        self.bn2 = nn.BatchNorm2D(width)
        self.hidden = nn.Linear(width, width)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = x + F.relu(self.bn2(self.conv2(x)))
        x = x.mean(axis=(2, 3))
        return self.head(F.relu(self.hidden(x)))


class Block(nn.Layer):
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
        q, k, v = self.qkv(self.norm1(x)).chunk(3, axis=-1)
        q = q.reshape([B, T, self.heads, C // self.heads]).transpose([0, 2, 1, 3])
        k = k.reshape([B, T, self.heads, C // self.heads]).transpose([0, 2, 3, 1])
        v = v.reshape([B, T, self.heads, C // self.heads]).transpose([0, 2, 1, 3])
        att = F.softmax(paddle.matmul(q, k) / math.sqrt(C // self.heads), axis=-1)
        y = paddle.matmul(att, v).transpose([0, 2, 1, 3]).reshape([B, T, C])
        x = x + self.proj(y)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Clean(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = ConvNet()
        self.block = Block(64, 4)

    def forward(self, image, tokens=None):
        return {"conv": self.conv(image), "block": self.block(tokens), "best": self.conv(image).argmax(axis=1)}


class Planted(nn.Layer):
    """Every output but the first two is wrong."""

    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(64, epsilon=1e-5)
        self.square = nn.Linear(64, 64)
        self.bn = nn.BatchNorm2D(1)

    def forward(self, x):
        image = x.reshape([8, 1, 8, 8])
        halves = x[:, 32:].sum(axis=1, keepdim=True) + x[:, :32].sum(axis=1, keepdim=True)
        return {
            "right": self.square(x),
            "reassociated": x * x + self.square(x) + halves,
            "epsilon": self.norm(x),
            "gelu": 0.5 * x * (1 + paddle.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
            "untransposed": paddle.matmul(x, self.square.weight.T) + self.square.bias,
            "variance": (image - self.bn._mean) * self.bn.weight + self.bn.bias,
            "nan": paddle.sqrt(x),
            "dtype": (x > 0).astype("float32"),
            "shape": x.mean(axis=1),
            "argmax": (-x).argmax(axis=1),
            "parts": x,
        }
