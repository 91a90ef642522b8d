"""torch.nn.modules: attention."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.MultiheadAttention)
def MultiheadAttention(
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
):
    return paddle.compat.nn.MultiheadAttention(
        embed_dim,
        num_heads,
        dropout=dropout,
        bias=bias,
        add_bias_kv=add_bias_kv,
        add_zero_attn=add_zero_attn,
        kdim=kdim,
        vdim=vdim,
        batch_first=batch_first,
        dtype=dtype,
    )


@rule(torch.nn.MultiheadAttention._reset_parameters)
def _reset_parameters(self):
    reset_attention(self)


def reset_attention(layer):
    for name, parameter in layer.named_parameters():
        if name in ("bias_k", "bias_v"):
            paddle.nn.init.xavier_normal_(parameter)
        elif name.endswith("bias"):
            paddle.nn.init.zeros_(parameter)
        elif name != "out_proj.weight":
            paddle.nn.init.xavier_uniform_(parameter)
