"""Attention, which OneFlow 0.9 has none of on CPU: written out, with torch's parameters, masks and axis order."""

import copy
import math

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.nn.functional.scaled_dot_product_attention)
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = (oneflow.repeat_interleave(part, times, -3 + part.ndim) for part in (key, value))
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = oneflow.matmul(query * scale, key.transpose(-2, -1))
    if is_causal:
        length, width = query.shape[-2], key.shape[-2]
        attn_mask = oneflow.tril(oneflow.ones(length, width, device=query.device)).to(oneflow.bool)
    if attn_mask is not None and attn_mask.dtype == oneflow.bool:
        dead = oneflow.logical_not(attn_mask).expand(scores.shape)
        scores = oneflow.masked_fill(scores, dead, -math.inf)
        weights = oneflow.nn.functional.softmax(scores, dim=-1)
        # a row in which nothing may be attended to gives zeros
        lost = oneflow.sum(dead.to(oneflow.int64), -1, True) == scores.shape[-1]
        weights = oneflow.masked_fill(weights, lost.expand(weights.shape), 0.0)
    else:
        weights = oneflow.nn.functional.softmax(scores if attn_mask is None else scores + attn_mask, dim=-1)
    if dropout_p > 0.0:
        weights = oneflow.nn.functional.dropout(weights, dropout_p)
    return oneflow.matmul(weights, value)


def additive(mask, other, dtype):
    """A mask as numbers to add: True means not attended to."""
    if mask is None or mask.dtype != oneflow.bool:
        return mask
    return oneflow.masked_fill(oneflow.zeros(mask.shape, dtype=dtype, device=mask.device), mask, -math.inf)


def attend(query, key, value, heads, mask, dropout, shown):
    """Attention of (length, batch, width) tensors in parts: (output, weights of each head).

    shown: whether the weights are asked for; torch draws the mask of dropout in another shape then.
    """
    length, batch, width = query.shape
    size = width // heads

    def split(part):
        return part.reshape(part.shape[0], batch * heads, size).transpose(0, 1)

    scores = oneflow.matmul(split(query) / math.sqrt(size), split(key).transpose(1, 2))
    weights = oneflow.nn.functional.softmax(scores if mask is None else scores + mask, dim=-1)
    if dropout > 0:
        drawn = weights if shown else weights.reshape(batch, heads, length, -1)
        weights = oneflow.nn.functional.dropout(drawn, dropout).reshape(weights.shape)
    found = oneflow.matmul(weights, split(value)).transpose(0, 1).reshape(length, batch, width)
    return found, weights.reshape(batch, heads, length, -1)


@rule(torch.nn.functional.multi_head_attention_forward)
def multi_head_attention_forward(
    query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn,
    dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True,
    attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None,
    static_k=None, static_v=None, average_attn_weights=True, is_causal=False,
):  # fmt: skip
    if static_k is not None or static_v is not None:
        raise NotImplementedError("keys and values that stay the same are not written out for OneFlow; project them")
    alone = query.ndim == 2
    if alone:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    if not use_separate_proj_weight:
        q_proj_weight, k_proj_weight, v_proj_weight = oneflow.chunk(in_proj_weight, 3, 0)
    biases = (None, None, None) if in_proj_bias is None else oneflow.chunk(in_proj_bias, 3, 0)
    linear = oneflow.nn.functional.linear
    query = linear(query, q_proj_weight, biases[0])
    key, value = linear(key, k_proj_weight, biases[1]), linear(value, v_proj_weight, biases[2])
    batch, width = query.shape[1:]
    attn_mask = additive(attn_mask, key_padding_mask, query.dtype)
    key_padding_mask = additive(key_padding_mask, attn_mask, query.dtype)
    extra = 0
    if bias_k is not None:
        key = oneflow.cat([key, bias_k.expand(1, batch, width)])
        value = oneflow.cat([value, bias_v.expand(1, batch, width)])
        extra += 1
    if add_zero_attn:
        nothing = oneflow.zeros(1, batch, width, dtype=query.dtype, device=query.device)
        key, value = oneflow.cat([key, nothing]), oneflow.cat([value, nothing])
        extra += 1
    mask = None
    if attn_mask is not None:
        mask = attn_mask if attn_mask.ndim == 3 else attn_mask.unsqueeze(0)
        mask = oneflow.nn.functional.pad(mask, (0, extra)) if extra else mask
    if key_padding_mask is not None:
        padding = oneflow.nn.functional.pad(key_padding_mask, (0, extra)) if extra else key_padding_mask
        padding = padding.reshape(batch, 1, 1, -1).expand(batch, num_heads, 1, key.shape[0])
        padding = padding.reshape(batch * num_heads, 1, key.shape[0])
        mask = padding if mask is None else mask + padding
    found, weights = attend(query, key, value, num_heads, mask, dropout_p if training else 0.0, need_weights)
    found = linear(found, out_proj_weight, out_proj_bias)
    if average_attn_weights:
        weights = oneflow.mean(weights, 1)
    if alone:
        found, weights = found.squeeze(1), weights.squeeze(0)
    return found, weights if need_weights else None


class ProjectionOut(oneflow.nn.Linear):
    """Torch's name for the last projection's kind; its bias begins at zero."""

    def reset_parameters(self):
        super().reset_parameters()
        if self.bias is not None:
            oneflow.nn.init.zeros_(self.bias)


@rule(torch.nn.MultiheadAttention)
class MultiheadAttention(oneflow.nn.Module):
    def __init__(
        self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
        vdim=None, batch_first=False, device=None, dtype=None,
    ):  # fmt: skip
        super().__init__()
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.dropout, self.batch_first, self.add_zero_attn = dropout, batch_first, add_zero_attn
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        parameter, empty = oneflow.nn.Parameter, oneflow.empty
        if self._qkv_same_embed_dim:
            self.in_proj_weight = parameter(empty(3 * embed_dim, embed_dim))
            self.register_parameter("q_proj_weight", None)
            self.register_parameter("k_proj_weight", None)
            self.register_parameter("v_proj_weight", None)
        else:
            self.q_proj_weight = parameter(empty(embed_dim, embed_dim))
            self.k_proj_weight = parameter(empty(embed_dim, self.kdim))
            self.v_proj_weight = parameter(empty(embed_dim, self.vdim))
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = parameter(oneflow.zeros(3 * embed_dim))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = ProjectionOut(embed_dim, embed_dim, bias=bias)
        if add_bias_kv:
            self.bias_k, self.bias_v = parameter(empty(1, 1, embed_dim)), parameter(empty(1, 1, embed_dim))
            oneflow.nn.init.xavier_normal_(self.bias_k)
            oneflow.nn.init.xavier_normal_(self.bias_v)
        else:
            self.bias_k = self.bias_v = None
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                oneflow.nn.init.xavier_uniform_(weight)
        if device is not None or dtype is not None:
            self.to(
                device="cpu" if device is None else device,
                dtype=oneflow.get_default_dtype() if dtype is None else dtype,
            )

    def forward(
        self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True,
        is_causal=False,
    ):  # fmt: skip
        turned = self.batch_first and query.ndim == 3
        if turned:
            query, key, value = (part.transpose(0, 1) for part in (query, key, value))
        found, weights = multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k,
            self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, self.training,
            key_padding_mask, need_weights, attn_mask, not self._qkv_same_embed_dim, self.q_proj_weight,
            self.k_proj_weight, self.v_proj_weight, average_attn_weights=average_attn_weights,
        )  # fmt: skip
        return found.transpose(0, 1) if turned else found, weights


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


@rule(torch.nn.TransformerEncoderLayer)
class TransformerEncoderLayer(oneflow.nn.Module):
    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-05,
        batch_first=False, norm_first=False, bias=True, device=None, dtype=None,
    ):  # fmt: skip
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.linear1 = oneflow.nn.Linear(d_model, dim_feedforward, bias=bias)
        self.dropout = oneflow.nn.Dropout(dropout)
        self.linear2 = oneflow.nn.Linear(dim_feedforward, d_model, bias=bias)
        self.norm_first = norm_first
        self.norm1 = norm_layer(d_model, layer_norm_eps, bias)
        self.norm2 = norm_layer(d_model, layer_norm_eps, bias)
        self.dropout1 = oneflow.nn.Dropout(dropout)
        self.dropout2 = oneflow.nn.Dropout(dropout)
        self.activation = activation_of(activation)

    def attend(self, x, mask, padding):
        found = self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False)[0]
        return self.dropout1(found)

    def feed(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        if self.norm_first:
            src = src + self.attend(self.norm1(src), src_mask, src_key_padding_mask)
            return src + self.feed(self.norm2(src))
        src = self.norm1(src + self.attend(src, src_mask, src_key_padding_mask))
        return self.norm2(src + self.feed(src))


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
        self.dropout = oneflow.nn.Dropout(dropout)
        self.linear2 = oneflow.nn.Linear(dim_feedforward, d_model, bias=bias)
        self.norm_first = norm_first
        self.norm1 = norm_layer(d_model, layer_norm_eps, bias)
        self.norm2 = norm_layer(d_model, layer_norm_eps, bias)
        self.norm3 = norm_layer(d_model, layer_norm_eps, bias)
        self.dropout1 = oneflow.nn.Dropout(dropout)
        self.dropout2 = oneflow.nn.Dropout(dropout)
        self.dropout3 = oneflow.nn.Dropout(dropout)
        self.activation = activation_of(activation)

    def attend(self, x, mask, padding):
        found = self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False)[0]
        return self.dropout1(found)

    def look(self, x, memory, mask, padding):
        found = self.multihead_attn(x, memory, memory, attn_mask=mask, key_padding_mask=padding, need_weights=False)
        return self.dropout2(found[0])

    def feed(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None,
        tgt_is_causal=False, memory_is_causal=False,
    ):  # fmt: skip
        if self.norm_first:
            tgt = tgt + self.attend(self.norm1(tgt), tgt_mask, tgt_key_padding_mask)
            tgt = tgt + self.look(self.norm2(tgt), memory, memory_mask, memory_key_padding_mask)
            return tgt + self.feed(self.norm3(tgt))
        tgt = self.norm1(tgt + self.attend(tgt, tgt_mask, tgt_key_padding_mask))
        tgt = self.norm2(tgt + self.look(tgt, memory, memory_mask, memory_key_padding_mask))
        return self.norm3(tgt + self.feed(tgt))


@rule(torch.nn.TransformerEncoder)
class TransformerEncoder(oneflow.nn.Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = oneflow.nn.ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
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
                memory_key_padding_mask=memory_key_padding_mask,
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

    def forward(
        self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
        tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None,
        memory_is_causal=False,
    ):  # fmt: skip
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )  # fmt: skip


@rule("torch.nn.Transformer.generate_square_subsequent_mask")
def generate_square_subsequent_mask(sz, device=None, dtype=None):
    return oneflow.triu(oneflow.full([sz, sz], float("-inf"), dtype=dtype or oneflow.float32, device=device), 1)
