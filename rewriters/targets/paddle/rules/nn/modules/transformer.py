"""Transformer layers with torch's parameters, masks (True: not attended) and axis order (length first by default)."""

import copy

import paddle
import torch

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.nn.functional.normalization import norm_over_axes, scaled


def activation_of(activation):
    return getattr(paddle.nn.functional, activation) if isinstance(activation, str) else activation


@rule(torch.nn.TransformerEncoderLayer)
class TransformerEncoderLayer(paddle.nn.Layer):
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
    ):
        super().__init__()
        no_bias = None if bias else False
        self.self_attn = paddle.compat.nn.MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.linear1 = paddle.nn.Linear(d_model, dim_feedforward, bias_attr=no_bias)
        self.dropout = paddle.nn.Dropout(dropout)
        self.linear2 = paddle.nn.Linear(dim_feedforward, d_model, bias_attr=no_bias)
        self.norm1 = FreezableLayerNorm(d_model, epsilon=layer_norm_eps, bias_attr=no_bias)
        self.norm2 = FreezableLayerNorm(d_model, epsilon=layer_norm_eps, bias_attr=no_bias)
        self.dropout1 = paddle.nn.Dropout(dropout)
        self.dropout2 = paddle.nn.Dropout(dropout)
        self.norm_first = norm_first
        self.activation = activation_of(activation)
        if dtype is not None:
            self.to(dtype=dtype)

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        x, _ = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False, is_causal=is_causal
        )
        return self.dropout1(x)

    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        if self.norm_first:
            src = src + self._sa_block(self.norm1(src), src_mask, src_key_padding_mask, is_causal=is_causal)
            return src + self._ff_block(self.norm2(src))
        src = self.norm1(src + self._sa_block(src, src_mask, src_key_padding_mask, is_causal=is_causal))
        return self.norm2(src + self._ff_block(src))


@rule(torch.nn.TransformerEncoder)
class TransformerEncoder(paddle.nn.Layer):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = paddle.nn.LayerList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=is_causal is True)
        return src if self.norm is None else self.norm(src)


@rule(torch.nn.TransformerDecoderLayer)
class TransformerDecoderLayer(paddle.nn.Layer):
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
    ):
        super().__init__()
        no_bias = None if bias else False
        self.self_attn = paddle.compat.nn.MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.multihead_attn = paddle.compat.nn.MultiheadAttention(
            d_model, nhead, dropout, bias, batch_first=batch_first
        )
        self.linear1 = paddle.nn.Linear(d_model, dim_feedforward, bias_attr=no_bias)
        self.dropout = paddle.nn.Dropout(dropout)
        self.linear2 = paddle.nn.Linear(dim_feedforward, d_model, bias_attr=no_bias)
        self.norm1 = FreezableLayerNorm(d_model, epsilon=layer_norm_eps, bias_attr=no_bias)
        self.norm2 = FreezableLayerNorm(d_model, epsilon=layer_norm_eps, bias_attr=no_bias)
        self.norm3 = FreezableLayerNorm(d_model, epsilon=layer_norm_eps, bias_attr=no_bias)
        self.dropout1 = paddle.nn.Dropout(dropout)
        self.dropout2 = paddle.nn.Dropout(dropout)
        self.dropout3 = paddle.nn.Dropout(dropout)
        self.norm_first = norm_first
        self.activation = activation_of(activation)
        if dtype is not None:
            self.to(dtype=dtype)

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        x, _ = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False, is_causal=is_causal
        )
        return self.dropout1(x)

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        x, _ = self.multihead_attn(
            x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False, is_causal=is_causal
        )
        return self.dropout2(x)

    def _ff_block(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(
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
        if self.norm_first:
            tgt = tgt + self._sa_block(self.norm1(tgt), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            tgt = tgt + self._mha_block(self.norm2(tgt), memory, memory_mask, memory_key_padding_mask, memory_is_causal)
            return tgt + self._ff_block(self.norm3(tgt))
        tgt = self.norm1(tgt + self._sa_block(tgt, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
        tgt = self.norm2(tgt + self._mha_block(tgt, memory, memory_mask, memory_key_padding_mask, memory_is_causal))
        return self.norm3(tgt + self._ff_block(tgt))


@rule(torch.nn.TransformerDecoder)
class TransformerDecoder(paddle.nn.Layer):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = paddle.nn.LayerList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(
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
                tgt_is_causal=tgt_is_causal is True,
                memory_is_causal=memory_is_causal,
            )
        return tgt if self.norm is None else self.norm(tgt)


@rule(torch.nn.Transformer)
class Transformer(paddle.nn.Layer):
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
    ):
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        attr = None if bias else False
        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*options),
            num_encoder_layers,
            FreezableLayerNorm(d_model, epsilon=layer_norm_eps, bias_attr=attr),
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*options),
            num_decoder_layers,
            FreezableLayerNorm(d_model, epsilon=layer_norm_eps, bias_attr=attr),
        )
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        if dtype is not None:
            self.to(dtype=dtype)

    def forward(
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
    return paddle.triu(paddle.full([sz, sz], float("-inf"), dtype=dtype), diagonal=1)


class FreezableLayerNorm(paddle.nn.LayerNorm):
    """Where nobody asks for the weight's gradient, the one that Paddle's own hands to its input is wrong."""

    def forward(self, input):
        shape = self._normalized_shape  # its weight and bias are flat
        weight, bias = (None if one is None else one.reshape(shape) for one in (self.weight, self.bias))
        return scaled(norm_over_axes(input, shape, None, None, self._epsilon), weight, bias)


# Where the project's code looks at weights of Linears, by places: these keep torch's (out, in).
@family("TransformerEncoderLayer TransformerDecoderLayer Transformer")
@rule("torch.nn.TransformerEncoderLayer:looked")
def looked_TransformerEncoderLayer(*args, **kwargs):
    return with_torchs_weights(TransformerEncoderLayer(*args, **kwargs))


def with_torchs_weights(model):
    for layer in model.sublayers(include_self=True):
        if isinstance(layer, (TransformerEncoderLayer, TransformerDecoderLayer)):
            for name in ("linear1", "linear2"):
                old = getattr(layer, name)
                made = paddle.compat.nn.Linear(*old.weight.shape, bias=old.bias is not None, dtype=old.weight.dtype)
                setattr(layer, name, made)
    return model
