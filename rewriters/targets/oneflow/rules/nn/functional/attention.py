"""torch.nn.functional: attention."""

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
        seen = oneflow.tril(oneflow.ones(query.shape[-2], key.shape[-2], device=query.device)).to(oneflow.bool)
        if attn_mask is None or attn_mask.dtype == oneflow.bool:
            attn_mask = seen if attn_mask is None else oneflow.logical_and(seen, attn_mask)
        else:
            hidden = oneflow.logical_not(seen).expand(attn_mask.shape)
            attn_mask = oneflow.masked_fill(attn_mask, hidden, -math.inf)
    if attn_mask is not None:
        added = attn_mask.dtype != oneflow.bool
        dead = (attn_mask == -math.inf if added else oneflow.logical_not(attn_mask)).expand(scores.shape)
        scores = oneflow.masked_fill(scores + attn_mask if added else scores, dead, -math.inf)
        weights = oneflow.nn.functional.softmax(scores, dim=-1)
        # a row in which nothing may be attended to gives zeros
        lost = oneflow.sum(dead.to(oneflow.int64), -1, True) == scores.shape[-1]
        weights = oneflow.masked_fill(weights, lost.expand(weights.shape), 0.0)
    else:
        weights = oneflow.nn.functional.softmax(scores, dim=-1)
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
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    # torch then goes by the hint alone
    hinted = is_causal and key_padding_mask is None and not need_weights
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
    if hinted:
        later = oneflow.triu(oneflow.ones(query.shape[0], key.shape[0], device=query.device), 1).to(oneflow.bool)
        mask = additive(later, None, query.dtype).unsqueeze(0)
    elif attn_mask is not None:
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
