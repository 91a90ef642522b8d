"""torch.nn.modules: attention."""

import oneflow
import torch

from rewriters.rule import rule, same
from rewriters.targets.oneflow.rules.nn.functional.attention import multi_head_attention_forward

same("torch.nn.MultiheadAttention._reset_parameters")


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
        else:
            self.bias_k = self.bias_v = None
        self._reset_parameters()
        if device is not None or dtype is not None:
            self.to(
                device="cpu" if device is None else device,
                dtype=oneflow.get_default_dtype() if dtype is None else dtype,
            )

    def _reset_parameters(self):
        init = oneflow.nn.init
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

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
            self.k_proj_weight, self.v_proj_weight, average_attn_weights=average_attn_weights, is_causal=is_causal,
        )  # fmt: skip
        return found.transpose(0, 1) if turned else found, weights
