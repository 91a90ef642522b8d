"""Attention, which OneFlow 0.9 has none of on CPU: written out, with torch's parameters, masks and axis order."""

import copy

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.nn.modules.attention import MultiheadAttention
from rewriters.targets.oneflow.rules.nn.modules.dropout import Dropout


def activation_of(activation):
    """A function by its name in torch."""
    return getattr(oneflow.nn.functional, activation) if isinstance(activation, str) else activation


def norm_layer(width, eps, bias):
    """LayerNorm, without a bias where torch's has none."""
    layer = oneflow.nn.LayerNorm(width, eps)
    if not bias:
        del layer._parameters["bias"]
        layer.bias = oneflow.zeros(width)
    return layer


def moved(layer, device, dtype):
    if device is not None:
        layer.to(device)
    if dtype is not None:
        layer.to(dtype)


@rule(torch.nn.TransformerEncoderLayer)
class TransformerEncoderLayer(oneflow.nn.Module):
    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-05,
        batch_first=False, norm_first=False, bias=True, device=None, dtype=None,
    ):  # fmt: skip
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.linear1 = oneflow.nn.Linear(d_model, dim_feedforward, bias=bias)
        self.dropout = Dropout(dropout)
        self.linear2 = oneflow.nn.Linear(dim_feedforward, d_model, bias=bias)
        self.norm_first = norm_first
        self.norm1 = norm_layer(d_model, layer_norm_eps, bias)
        self.norm2 = norm_layer(d_model, layer_norm_eps, bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = activation_of(activation)
        moved(self, device, dtype)

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        found = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False, is_causal=is_causal
        )  # fmt: skip
        return self.dropout1(found[0])

    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        if self.norm_first:
            src = src + self._sa_block(self.norm1(src), src_mask, src_key_padding_mask, is_causal=is_causal)
            return src + self._ff_block(self.norm2(src))
        src = self.norm1(src + self._sa_block(src, src_mask, src_key_padding_mask, is_causal=is_causal))
        return self.norm2(src + self._ff_block(src))


@rule(torch.nn.TransformerDecoderLayer)
class TransformerDecoderLayer(oneflow.nn.Module):
    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-05,
        batch_first=False, norm_first=False, bias=True, device=None, dtype=None,
    ):  # fmt: skip
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.linear1 = oneflow.nn.Linear(d_model, dim_feedforward, bias=bias)
        self.dropout = Dropout(dropout)
        self.linear2 = oneflow.nn.Linear(dim_feedforward, d_model, bias=bias)
        self.norm_first = norm_first
        self.norm1 = norm_layer(d_model, layer_norm_eps, bias)
        self.norm2 = norm_layer(d_model, layer_norm_eps, bias)
        self.norm3 = norm_layer(d_model, layer_norm_eps, bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = activation_of(activation)
        moved(self, device, dtype)

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        found = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False, is_causal=is_causal
        )  # fmt: skip
        return self.dropout1(found[0])

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        found = self.multihead_attn(
            x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False, is_causal=is_causal
        )  # fmt: skip
        return self.dropout2(found[0])

    def _ff_block(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
        tgt_is_causal=False, memory_is_causal=False,
    ):  # fmt: skip
        if self.norm_first:
            tgt = tgt + self._sa_block(self.norm1(tgt), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            tgt = tgt + self._mha_block(
                self.norm2(tgt), memory, memory_mask, memory_key_padding_mask, memory_is_causal
            )  # fmt: skip
            return tgt + self._ff_block(self.norm3(tgt))
        tgt = self.norm1(tgt + self._sa_block(tgt, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
        tgt = self.norm2(tgt + self._mha_block(tgt, memory, memory_mask, memory_key_padding_mask, memory_is_causal))
        return self.norm3(tgt + self._ff_block(tgt))


@rule(torch.nn.TransformerEncoder)
class TransformerEncoder(oneflow.nn.Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = oneflow.nn.ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(
                src, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=bool(is_causal)
            )  # fmt: skip
        return src if self.norm is None else self.norm(src)


@rule(torch.nn.TransformerDecoder)
class TransformerDecoder(oneflow.nn.Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = oneflow.nn.ModuleList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
        tgt_is_causal=None, memory_is_causal=False,
    ):  # fmt: skip
        for layer in self.layers:
            tgt = layer(
                tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=bool(tgt_is_causal),
                memory_is_causal=memory_is_causal,
            )  # fmt: skip
        return tgt if self.norm is None else self.norm(tgt)


@rule(torch.nn.Transformer)
class Transformer(oneflow.nn.Module):
    def __init__(
        self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
        activation="relu", custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-05, batch_first=False,
        norm_first=False, bias=True, device=None, dtype=None,
    ):  # fmt: skip
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*options), num_encoder_layers, norm_layer(d_model, layer_norm_eps, bias)
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*options), num_decoder_layers, norm_layer(d_model, layer_norm_eps, bias)
        )
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        for parameter in self.parameters():
            if parameter.ndim > 1:
                oneflow.nn.init.xavier_uniform_(parameter)
        moved(self, device, dtype)

    def forward(
        self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
        tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None,
        memory_is_causal=False,
    ):  # fmt: skip
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )  # fmt: skip
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )  # fmt: skip


@rule(torch.nn.Transformer.generate_square_subsequent_mask)
def generate_square_subsequent_mask(sz, device=None, dtype=None):
    return oneflow.triu(oneflow.full([sz, sz], float("-inf"), dtype=dtype or oneflow.float32, device=device), 1)
