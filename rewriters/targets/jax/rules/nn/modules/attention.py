"""torch.nn.modules: attention. Its parameters are torch's: one weight for queries, keys and values."""

import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.functional.attention import multi_head_attention_forward
from rewriters.targets.jax.rules.nn.modules.linear import ProjectionOut
from rewriters.targets.jax.rules.nn.modules.module import Module

same(
    "torch.nn.MultiheadAttention.embed_dim", "torch.nn.MultiheadAttention.num_heads",
    "torch.nn.MultiheadAttention.head_dim", "torch.nn.MultiheadAttention.kdim", "torch.nn.MultiheadAttention.vdim",
    "torch.nn.MultiheadAttention.dropout", "torch.nn.MultiheadAttention.batch_first",
    "torch.nn.MultiheadAttention.in_proj_weight", "torch.nn.MultiheadAttention.in_proj_bias",
    "torch.nn.MultiheadAttention.out_proj", "torch.nn.MultiheadAttention.q_proj_weight",
    "torch.nn.MultiheadAttention.k_proj_weight", "torch.nn.MultiheadAttention.v_proj_weight",
    "torch.nn.MultiheadAttention.bias_k", "torch.nn.MultiheadAttention.bias_v",
    "torch.nn.MultiheadAttention._qkv_same_embed_dim", "torch.nn.MultiheadAttention._reset_parameters",
    "torch.nn.MultiheadAttention.add_zero_attn",
)  # fmt: skip


@rule(torch.nn.MultiheadAttention)
class MultiheadAttention(Module):
    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.dropout, self.batch_first, self.add_zero_attn = dropout, batch_first, add_zero_attn
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        dtype, key = dtype or jnp.float32, rngs.params
        init = nnx.initializers.xavier_uniform(in_axis=1, out_axis=0)

        def made(rows, columns):
            return nnx.Param(init(key(), (rows, columns), dtype))

        together = self._qkv_same_embed_dim
        self.in_proj_weight = made(3 * embed_dim, embed_dim) if together else None
        self.q_proj_weight = None if together else made(embed_dim, embed_dim)
        self.k_proj_weight = None if together else made(embed_dim, self.kdim)
        self.v_proj_weight = None if together else made(embed_dim, self.vdim)
        self.in_proj_bias = nnx.Param(jnp.zeros(3 * embed_dim, dtype)) if bias else None
        self.out_proj = ProjectionOut(embed_dim, embed_dim, bias, dtype=dtype, rngs=rngs)
        shape, normal = (1, 1, embed_dim), nnx.initializers.normal((1 / embed_dim) ** 0.5)
        self.bias_k = nnx.Param(normal(key(), shape, dtype)) if add_bias_kv else None
        self.bias_v = nnx.Param(normal(key(), shape, dtype)) if add_bias_kv else None
        self.rngs = rngs.dropout.fork() if dropout else nnx.data(None)

    def _reset_parameters(self):
        init = nnx.initializers.xavier_uniform(in_axis=1, out_axis=0)
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                weight.set_value(init(rngs.params(), weight.shape, weight.dtype))
        for bias in (self.in_proj_bias, self.out_proj.bias):
            if bias is not None:
                bias.set_value(jnp.zeros_like(bias[...]))
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                normal = nnx.initializers.normal((1 / self.embed_dim) ** 0.5)
                bias.set_value(normal(rngs.params(), bias.shape, bias.dtype))

    def value_of(self, name):
        held = getattr(self, name)
        return None if held is None else held[...]

    def __call__(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        turned = self.batch_first and query.ndim == 3
        if turned:
            query, key, value = (x.swapaxes(0, 1) for x in (query, key, value))
        found, weights = multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.value_of("in_proj_weight"),
            self.value_of("in_proj_bias"),
            self.value_of("bias_k"),
            self.value_of("bias_v"),
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight[...],
            None if self.out_proj.bias is None else self.out_proj.bias[...],
            self.training,
            key_padding_mask,
            need_weights,
            attn_mask,
            not self._qkv_same_embed_dim,
            self.value_of("q_proj_weight"),
            self.value_of("k_proj_weight"),
            self.value_of("v_proj_weight"),
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
            rngs=self.rngs,
        )
        return found.swapaxes(0, 1) if turned else found, weights
