"""``contiguous()``: a helper answers only for what may be a view in Paddle."""

from __future__ import annotations

from collections.abc import Callable

SOURCE = """
import torch


def attention(a, v):
    a = torch.softmax(a, dim=-1)
    a.masked_fill_(a < 0.1, 0)
    v = torch.einsum({text}, {operands})
    return v.contiguous(), a
"""


def test_a_product_is_in_one_piece(converted: Callable[..., str]) -> None:
    text = converted(SOURCE.format(text='"bhls,bshd->blhd"', operands="a, v"))
    assert "return v.contiguous(), a" in text


def test_what_one_operand_gives_may_be_a_view(converted: Callable[..., str]) -> None:
    text = converted(SOURCE.format(text='"bhls->blhs"', operands="v"))
    assert "return paddle_helpers.contiguous_or_clone(v), a" in text


def test_a_change_of_a_product_is_its_own(converted: Callable[..., str]) -> None:
    head = "import torch\nimport torch.nn as nn\nf, g = nn.Conv1d(2, 2, 1), nn.Conv1d(2, 2, 1)\ndef h(x):\n"
    text = head + "    k = f(x).view(2, 2, -1)\n    {made}\n    d.mul_(0.5)\n    return d, k\n"
    assert "migrate: differs" in converted(text.format(made='d = torch.einsum("bct->btc", k)'))
    assert "migrate:" not in converted(text.format(made='d = torch.einsum("bct,bcs->bts", k, g(x))'))
