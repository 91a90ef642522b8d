"""Attention over axes that torch broadcasts."""

from __future__ import annotations

from collections.abc import Callable


def test_attention_of_more_axes_and_of_shared_heads(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn.functional as F

        def made(*shape):
            return torch.linspace(-1.0, 1.0, 2 ** 9)[: torch.Size(shape).numel()].sin().reshape(*shape)

        def attend(query, key, value, **words):
            return F.scaled_dot_product_attention(query, key, value, **words)

        plain = made(2, 4, 3, 6)
        for one in [attend, F.scaled_dot_product_attention]:
            show(one(plain, plain, plain * 2, is_causal=True), one(plain[0], plain[0], plain[0]))
            show(one(plain, made(2, 1, 5, 6), made(2, 1, 5, 7)), one(plain[:1], plain, plain))
            show(one(plain, made(2, 2, 5, 6), made(2, 2, 5, 6), enable_gqa=True))
            show(one(plain[0], made(2, 5, 6), made(2, 5, 6), enable_gqa=True))
            show(one(made(2, 2, 4, 3, 6), made(2, 2, 4, 5, 6), made(2, 2, 4, 5, 6), attn_mask=made(3, 5)))
            show(one(plain[0, 0], plain[0, 1], plain[1, 1]), one(plain[0], plain, plain, scale=0.3))
            show(one(plain, made(2, 1, 5, 6), made(2, 1, 5, 6), attn_mask=made(2, 1, 3, 5) < 2))

        from torch import Tensor

        def four(q: Tensor, k: Tensor):
            k = k.reshape(2, 1, 5, 6)
            return F.scaled_dot_product_attention(q.reshape(2, 4, 3, 6), k, k)

        show(four(plain, made(2, 1, 5, 6)))
        """,
        "paddle",
    )
