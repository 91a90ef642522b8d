"""Parameters that are seldom given mean what they do in torch, and are not dropped."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

EMBEDDINGS = """
    import torch
    import torch.nn as nn
    rows = torch.arange(6.0).view(3, 2)
    table = nn.Embedding(3, 2, _weight=rows)
    show(table(torch.tensor([1, 2])), table.weight.requires_grad)
    show(nn.Embedding(3, 2, _weight=rows, _freeze=True).weight.requires_grad)
    show(nn.Embedding(3, 2, _freeze=True).weight.requires_grad)
"""
BY_FREQUENCY = """
    import torch
    for padding in -1, 0:
        rows = torch.arange(6.0).view(3, 2).requires_grad_()
        torch.embedding(rows, torch.tensor([1, 1, 2, 0]), padding, True).sum().backward()
        show(rows.grad)
"""
DIAGONALS = """
    import torch
    for shape in (7, 3), (3, 7), (4, 3), (5, 3), (3, 3), (2, 2, 2):
        show(torch.zeros(shape).fill_diagonal_(5.0, wrap=True), torch.zeros(shape).fill_diagonal_(5.0))
"""


def test_weights_of_an_embedding(agrees: Callable[..., object]) -> None:
    for target in ("oneflow", "jax"):
        agrees(dedent(EMBEDDINGS), target)


def test_gradients_by_frequency(agrees: Callable[..., object]) -> None:
    for target in ("paddle", "oneflow"):
        agrees(dedent(BY_FREQUENCY), target)


def test_diagonals_that_begin_anew(agrees: Callable[..., object]) -> None:
    for target in ("paddle", "oneflow"):
        agrees(dedent(DIAGONALS), target)
