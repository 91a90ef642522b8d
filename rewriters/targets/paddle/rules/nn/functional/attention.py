"""Attention. Paddle's compat layer has torch's parameters and masks; its own MultiHeadAttention has neither."""

import functools
import math

import paddle
import torch

from rewriters.rule import rule


def attended(query, key, value, attn_mask, **words):
    """Attention; 0 where a mask lets a query see nothing, as in torch, for which Paddle gives NaN."""
    attend = paddle.compat.nn.functional.scaled_dot_product_attention
    if attn_mask is None:
        return attend(query, key, value, attn_mask=None, **words)
    seen = attn_mask if attn_mask.dtype == paddle.bool else attn_mask > float("-inf")
    some = seen.any(axis=-1, keepdim=True)
    whole = paddle.ones_like(attn_mask) if attn_mask.dtype == paddle.bool else paddle.zeros_like(attn_mask)
    result = attend(query, key, value, attn_mask=paddle.where(some, attn_mask, whole), **words)
    return paddle.where(some, result, paddle.zeros_like(result))


@rule(torch.nn.functional.scaled_dot_product_attention)
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    # Paddle's own takes (batch, length, heads, width). This one is laid out as torch's, but broadcasts none of them.
    words = {"dropout_p": dropout_p, "is_causal": is_causal, "scale": scale}
    given = (query, key, value)
    if all(one.ndim == 4 and (enable_gqa or one.shape[:2] == query.shape[:2]) for one in given):
        return attended(*given, attn_mask, enable_gqa=enable_gqa, **words)
    if enable_gqa:
        given = [one.repeat_interleave(query.shape[-3] // one.shape[-3], axis=-3) for one in given]
    lead = functools.reduce(paddle.broadcast_shape, [list(one.shape[:-2]) for one in given])
    four = [math.prod(lead[:-1]), *(lead[-1:] or [1])]
    given = [one.expand([*lead, *one.shape[-2:]]).reshape([*four, *one.shape[-2:]]) for one in given]
    if attn_mask is not None:
        sizes = [query.shape[-2], key.shape[-2]]
        attn_mask = attn_mask.expand([*lead, *sizes]).reshape([*four, *sizes])
    result = attended(*given, attn_mask, **words)
    return result.reshape([*lead, *result.shape[2:]])


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
