"""A small diffusion Transformer on timm's blocks: the model of benchmarks/fresh_folder.py that takes `--with timm`."""

import math

import torch
from timm.layers import Mlp, PatchEmbed
from timm.models.vision_transformer import Attention
from torch import nn


def modulate(x, shift, scale):
    return x * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1)


class TimeEmbedding(nn.Module):
    """Sines and cosines of a step, and two layers."""

    def __init__(self, width, waves=32):
        super().__init__()
        self.waves = waves
        self.layers = nn.Sequential(nn.Linear(waves, width), nn.SiLU(), nn.Linear(width, width))

    def forward(self, step):
        half = self.waves // 2
        rates = torch.exp(-math.log(10000) * torch.arange(half, dtype=torch.float32, device=step.device) / half)
        angles = step.float()[:, None] * rates[None]
        return self.layers(torch.cat([torch.cos(angles), torch.sin(angles)], dim=-1))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(width, elementwise_affine=False, eps=1e-6)
        self.attn = Attention(width, num_heads=heads, qkv_bias=True)
        self.norm2 = nn.LayerNorm(width, elementwise_affine=False, eps=1e-6)
        self.mlp = Mlp(width, 4 * width, act_layer=lambda: nn.GELU(approximate="tanh"), drop=0)
        self.modulation = nn.Sequential(nn.SiLU(), nn.Linear(width, 6 * width))

    def forward(self, x, condition):
        shift1, scale1, gate1, shift2, scale2, gate2 = self.modulation(condition).chunk(6, dim=1)
        x = x + gate1.unsqueeze(1) * self.attn(modulate(self.norm1(x), shift1, scale1))
        return x + gate2.unsqueeze(1) * self.mlp(modulate(self.norm2(x), shift2, scale2))


class DiT(nn.Module):
    def __init__(self, size=16, patch=4, channels=4, width=48, depth=2, heads=4, classes=10):
        super().__init__()
        self.patch, self.channels = patch, channels
        self.embed = PatchEmbed(size, patch, channels, width)
        self.time = TimeEmbedding(width)
        self.labels = nn.Embedding(classes + 1, width)
        self.positions = nn.Parameter(torch.zeros(1, self.embed.num_patches, width))
        nn.init.normal_(self.positions, std=0.02)
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(width, elementwise_affine=False, eps=1e-6)
        self.last = nn.Linear(width, patch * patch * channels)

    def forward(self, x, step, label):
        x = self.embed(x) + self.positions
        condition = self.time(step) + self.labels(label)
        for block in self.blocks:
            x = block(x, condition)
        x = self.last(self.norm(x))
        side = int(x.shape[1] ** 0.5)
        x = x.reshape(x.shape[0], side, side, self.patch, self.patch, self.channels)
        return torch.einsum("nhwpqc->nchpwq", x).reshape(x.shape[0], self.channels, side * self.patch, -1)
