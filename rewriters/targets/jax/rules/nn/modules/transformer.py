"""torch.nn.modules: transformers, made of the layers that torch makes them of."""

import copy

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.modules.attention import MultiheadAttention
from rewriters.targets.jax.rules.nn.modules.container import ModuleList
from rewriters.targets.jax.rules.nn.modules.linear import Linear
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.modules.normalization import LayerNorm

same(
    "torch.nn.TransformerEncoderLayer.self_attn", "torch.nn.TransformerEncoderLayer.linear1",
    "torch.nn.TransformerEncoderLayer.linear2", "torch.nn.TransformerEncoderLayer.norm1",
    "torch.nn.TransformerEncoderLayer.norm2", "torch.nn.TransformerEncoderLayer.norm_first",
    "torch.nn.TransformerEncoderLayer.dropout", "torch.nn.TransformerEncoderLayer.dropout1",
    "torch.nn.TransformerEncoderLayer.dropout2", "torch.nn.TransformerEncoderLayer.activation",
    "torch.nn.TransformerDecoderLayer.self_attn", "torch.nn.TransformerDecoderLayer.multihead_attn",
    "torch.nn.TransformerDecoderLayer.linear1", "torch.nn.TransformerDecoderLayer.linear2",
    "torch.nn.TransformerDecoderLayer.norm1", "torch.nn.TransformerDecoderLayer.norm2",
    "torch.nn.TransformerDecoderLayer.norm3", "torch.nn.TransformerDecoderLayer.norm_first",
    "torch.nn.TransformerDecoderLayer.dropout", "torch.nn.TransformerDecoderLayer.dropout1",
    "torch.nn.TransformerDecoderLayer.dropout2", "torch.nn.TransformerDecoderLayer.dropout3",
    "torch.nn.TransformerDecoderLayer.activation", "torch.nn.TransformerEncoder.layers",
    "torch.nn.TransformerEncoder.num_layers", "torch.nn.TransformerEncoder.norm",
    "torch.nn.TransformerDecoder.layers", "torch.nn.TransformerDecoder.num_layers",
    "torch.nn.TransformerDecoder.norm", "torch.nn.Transformer.encoder", "torch.nn.Transformer.decoder",
    "torch.nn.Transformer.d_model", "torch.nn.Transformer.nhead", "torch.nn.Transformer.batch_first",
    "torch.nn.Transformer._reset_parameters",
)  # fmt: skip


def activation_of(activation):
    """A function by its name in torch. torch's gelu is not an approximation."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return jax.nn.relu if activation == "relu" else exact_gelu


def exact_gelu(x):
    return jax.nn.gelu(x, approximate=False)


class SelfAttending(Module):
    """What layers of both kinds begin with: ``self_attn``, then ``dropout1``."""

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        found, _ = self.self_attn(
            x, x, x, key_padding_mask=key_padding_mask, need_weights=False, attn_mask=attn_mask, is_causal=is_causal
        )
        return self.dropout1(found)


@rule(torch.nn.TransformerEncoderLayer)
class TransformerEncoderLayer(SelfAttending):
    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-05,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__()
        made = {"bias": bias, "dtype": dtype, "rngs": rngs}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = nnx.Dropout(dropout, rngs=rngs)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1 = nnx.Dropout(dropout, rngs=rngs)
        self.dropout2 = nnx.Dropout(dropout, rngs=rngs)
        self.activation = activation_of(activation)

    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def __call__(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        if self.norm_first:
            src = src + self._sa_block(self.norm1(src), src_mask, src_key_padding_mask, is_causal=is_causal)
            return src + self._ff_block(self.norm2(src))
        src = self.norm1(src + self._sa_block(src, src_mask, src_key_padding_mask, is_causal=is_causal))
        return self.norm2(src + self._ff_block(src))


@rule(torch.nn.TransformerDecoderLayer)
class TransformerDecoderLayer(SelfAttending):
    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-05,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__()
        made = {"bias": bias, "dtype": dtype, "rngs": rngs}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, **made)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = nnx.Dropout(dropout, rngs=rngs)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1 = nnx.Dropout(dropout, rngs=rngs)
        self.dropout2 = nnx.Dropout(dropout, rngs=rngs)
        self.dropout3 = nnx.Dropout(dropout, rngs=rngs)
        self.activation = activation_of(activation)

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        found, _ = self.multihead_attn(
            x, mem, mem, key_padding_mask=key_padding_mask, need_weights=False, attn_mask=attn_mask, is_causal=is_causal
        )
        return self.dropout2(found)

    def _ff_block(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def __call__(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=False,
        memory_is_causal=False,
    ):
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        theirs = (memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            tgt = tgt + self._sa_block(self.norm1(tgt), *own)
            tgt = tgt + self._mha_block(self.norm2(tgt), memory, *theirs)
            return tgt + self._ff_block(self.norm3(tgt))
        tgt = self.norm1(tgt + self._sa_block(tgt, *own))
        tgt = self.norm2(tgt + self._mha_block(tgt, memory, *theirs))
        return self.norm3(tgt + self._ff_block(tgt))


def drawing_alone(module):
    """The module, with dropout of its own: what was copied would drop the same elements as the original."""
    streams = (part for _, part in nnx.iter_graph(module) if isinstance(part, nnx.RngStream))
    for stream in list(streams):
        fresh = rngs.dropout.fork()
        stream.key.set_value(fresh.key.get_value())
        stream.count.set_value(fresh.count.get_value())
    return module


def copies(layer, count):
    return ModuleList([drawing_alone(copy.deepcopy(layer)) for _ in range(count)])


@rule(torch.nn.TransformerEncoder)
class TransformerEncoder(Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = copies(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def __call__(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=bool(is_causal))
        return src if self.norm is None else self.norm(src)


@rule(torch.nn.TransformerDecoder)
class TransformerDecoder(Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = copies(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def __call__(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=bool(tgt_is_causal),
                memory_is_causal=memory_is_causal,
            )
        return tgt if self.norm is None else self.norm(tgt)


@rule(torch.nn.Transformer)
class Transformer(Module):
    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps=1e-05,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*options, dtype=dtype, rngs=rngs),
            num_encoder_layers,
            LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype),
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*options, dtype=dtype, rngs=rngs),
            num_decoder_layers,
            LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype),
        )
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def _reset_parameters(self):
        init = nnx.initializers.xavier_uniform(in_axis=1, out_axis=0)
        for parameter in self.parameters():
            if parameter.ndim > 1:
                parameter.set_value(init(rngs.params(), parameter.shape, parameter.dtype))

    def __call__(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        src_is_causal=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )


@rule(torch.nn.Transformer.generate_square_subsequent_mask)
def generate_square_subsequent_mask(sz, device=None, dtype=None):
    return jnp.triu(jnp.full((sz, sz), -jnp.inf, dtype or jnp.float32), 1)
