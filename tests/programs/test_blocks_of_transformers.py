"""The blocks of torch's Transformer layers, which programs call and override: ``_sa_block``, ``_ff_block``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

BLOCKS = """
import torch
from torch import nn
def fill(m):
    for i, p in enumerate(m.parameters()):
        torch.nn.init.constant_(p, 0.05 + 0.01 * (i % 3))
class Streaming(nn.TransformerEncoderLayer):
    def forward(self, x, past):
        y = self.norm1(x)
        kv = torch.cat([past, y], 1)
        x = x + self.dropout1(self.self_attn(y, kv, kv, need_weights=False)[0])
        return x + self._ff_block(self.norm2(x)), kv
class Scaled(nn.TransformerEncoderLayer):
    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        masks = {"attn_mask": attn_mask, "key_padding_mask": key_padding_mask}
        x, self.weights = self.self_attn(x, x, x, need_weights=True, **masks)
        return self.dropout1(x) * 0.5
    def _ff_block(self, x):
        return super()._ff_block(x) * 2
class Decoding(nn.TransformerDecoderLayer):
    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        self.seen = mem.shape
        return super()._mha_block(x, mem, attn_mask, key_padding_mask, is_causal) * 0.5
x = torch.linspace(-1, 1, 48).sin().reshape(2, 3, 8)
for kind in (Streaming, Scaled, Decoding):
    layer = kind(8, 2, 16, dropout=0.0, norm_first=True, batch_first=True)
    fill(layer)
    out = layer(x) if kind is Scaled else layer(x, x * 0.5)
    out = out[0] if kind is Streaming else out
    out.square().sum().backward()
    show(out.detach(), layer.norm1.weight.grad)
enc = nn.TransformerEncoder(Scaled(8, 2, 16, dropout=0.0, batch_first=True), 2)
fill(enc)
show(enc(x).detach(), enc.layers[1].weights.shape)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_blocks_are_called_and_overridden(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(BLOCKS, target)
