"""Attention. Paddle's compat layer has torch's parameters and masks; its own MultiHeadAttention has neither."""

import paddle
import torch

from rewriters.rule import Rank, rule


@rule(torch.nn.functional.scaled_dot_product_attention)
def scaled_dot_product_attention(
    query: Rank[3], key: Rank[4], value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    # one query for the whole batch
    return paddle.compat.nn.functional.scaled_dot_product_attention(
        query.expand([key.shape[0], -1, -1, -1]),
        key,
        value,
        attn_mask=attn_mask,
        dropout_p=dropout_p,
        is_causal=is_causal,
        scale=scale,
        enable_gqa=enable_gqa,
    )


@rule(torch.nn.functional.scaled_dot_product_attention)
def scaled_dot_product_attention(
    query: Rank[5], key: Rank[5], value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    # Paddle's takes four axes: the first two are one
    lead = [query.shape[0], query.shape[1]]
    if attn_mask is not None:
        attn_mask = attn_mask.expand([*query.shape[:-1], key.shape[-2]]).flatten(0, 1)
    result = paddle.compat.nn.functional.scaled_dot_product_attention(
        query.flatten(0, 1),
        key.flatten(0, 1),
        value.flatten(0, 1),
        attn_mask=attn_mask,
        dropout_p=dropout_p,
        is_causal=is_causal,
        scale=scale,
        enable_gqa=enable_gqa,
    )
    return result.reshape([*lead, *result.shape[1:]])


@rule(torch.nn.functional.scaled_dot_product_attention)
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    # Paddle's own takes (batch, length, heads, width); this one is laid out as torch's
    return paddle.compat.nn.functional.scaled_dot_product_attention(
        query,
        key,
        value,
        attn_mask=attn_mask,
        dropout_p=dropout_p,
        is_causal=is_causal,
        scale=scale,
        enable_gqa=enable_gqa,
    )


@rule(
    torch.nn.functional.has_torch_function_unary,
    torch.nn.functional.has_torch_function_variadic,
)
def has_torch_function_variadic(*tensors):
    # Paddle's functions ask no argument for an implementation of its own
    return False


@rule(torch.nn.functional.has_torch_function)
def has_torch_function(tensors):
    return False
