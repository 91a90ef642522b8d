"""torch.nn.functional: attention of several heads, and scaled dot products."""

import contextlib
import math

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.functional.dropout import kept_by_dropout


@rule(torch.nn.functional.scaled_dot_product_attention)
def scaled_dot_product_attention(query, key, value, attn_mask=None, *, is_causal=False, scale=None, enable_gqa=False):
    return attended(query, key, value, attn_mask, 0.0, is_causal, scale, enable_gqa, None)


@rule(torch.nn.functional.scaled_dot_product_attention)
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False, *, rngs
):
    return attended(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa, rngs)


def attended(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa, rngs):
    if enable_gqa:
        key, value = (jnp.repeat(x, query.shape[-3] // x.shape[-3], axis=-3) for x in (key, value))
    scores = (query @ key.mT) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool)) if is_causal else attn_mask
    if mask is None:
        weights = jax.nn.softmax(scores, axis=-1)
    else:
        scores = jnp.where(mask, scores, -jnp.inf) if mask.dtype == jnp.bool_ else scores + mask
        there = (scores > -jnp.inf).any(-1, keepdims=True)  # of nothing torch gives 0
        weights = jnp.where(there, jax.nn.softmax(jnp.where(there, scores, 0), axis=-1), 0)
    if dropout_p > 0:
        weights = jnp.where(kept_by_dropout(dropout_p, weights.shape, rngs), weights / (1 - dropout_p), 0)
    return weights @ value


def added(mask, dtype):
    """A mask as what is added to scores: torch's True is what is not looked at."""
    if mask is None:
        return None
    return jnp.where(mask, -jnp.inf, 0).astype(dtype) if mask.dtype == jnp.bool_ else mask


def longer(mask):
    """A mask with one more key, which is looked at."""
    return None if mask is None else jnp.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, 1)])


def projected(query, key, value, weights, bias):
    """(time, batch, features) each. weights: one for each, or one for all."""
    weights = jnp.split(weights, 3) if hasattr(weights, "shape") else weights
    biases = (0, 0, 0) if bias is None else jnp.split(bias, 3)
    return [x @ weight.T + own for x, weight, own in zip((query, key, value), weights, biases, strict=True)]


def heads(x, count):
    """(batch, head, time, features of a head) of (time, batch, features)."""
    return x.reshape(*x.shape[:2], count, -1).transpose(1, 2, 0, 3)


@rule(torch.nn.functional.multi_head_attention_forward)
def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    need_weights=True,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
    *,
    rngs,
):
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    batched = query.ndim == 3
    if not batched:
        query, key, value = query[:, None], key[:, None], value[:, None]
        key_padding_mask = None if key_padding_mask is None else key_padding_mask[None]
    batch, padding = query.shape[1], added(key_padding_mask, query.dtype)
    causal = is_causal and padding is None and not need_weights
    mask = None if causal else added(attn_mask, query.dtype)
    if mask is not None and mask.ndim == 3:
        mask = mask.reshape(batch, num_heads, *mask.shape[1:])
    weights = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else in_proj_weight
    q, k, v = projected(query, key, value, weights, in_proj_bias)
    if bias_k is not None:
        k = jnp.concatenate([k, jnp.broadcast_to(bias_k, (1, *k.shape[1:]))])
        v = jnp.concatenate([v, jnp.broadcast_to(bias_v, (1, *v.shape[1:]))])
        mask, padding = longer(mask), longer(padding)
    q, k, v = heads(q, num_heads), heads(k, num_heads), heads(v, num_heads)
    k = k if static_k is None else static_k.reshape(batch, num_heads, *static_k.shape[1:])
    v = v if static_v is None else static_v.reshape(batch, num_heads, *static_v.shape[1:])
    if add_zero_attn:
        k, v = (jnp.pad(x, [(0, 0), (0, 0), (0, 1), (0, 0)]) for x in (k, v))
        mask, padding = longer(mask), longer(padding)
    if padding is not None:
        padding = padding[:, None, None]
        mask = padding if mask is None else mask + padding
    rate = dropout_p if training else 0.0
    if need_weights:
        scores = (q * math.sqrt(1 / q.shape[-1])) @ k.mT
        weights = jax.nn.softmax(scores if mask is None else scores + mask, axis=-1)
        if rate > 0:
            weights = jnp.where(kept_by_dropout(rate, weights.shape, rngs), weights / (1 - rate), 0)
        found = weights @ v
        weights = weights.mean(1) if average_attn_weights else weights
        weights = weights if batched else weights[0]
    else:
        found, weights = attended(q, k, v, mask, rate, causal, None, False, rngs), None
    found = found.transpose(2, 0, 1, 3).reshape(query.shape[0], batch, -1) @ out_proj_weight.T
    found = found if out_proj_bias is None else found + out_proj_bias
    return found if batched else found[:, 0], weights


@rule(torch.nn.attention.sdpa_kernel)
def sdpa_kernel(backends, set_priority=False):
    # XLA chooses
    return contextlib.nullcontext()
