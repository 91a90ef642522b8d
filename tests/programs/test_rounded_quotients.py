"""Quotients that are rounded, of numbers and of what is not known."""

from __future__ import annotations

from collections.abc import Callable


def test_of_numbers_and_of_what_is_not_known(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def chunks(length, size):
            return torch.div(length, size, rounding_mode="trunc") - 1, torch.div(length, size, rounding_mode="floor")

        def method(x, size):
            return x.div(size, rounding_mode="trunc")

        rows = torch.tensor([7, -7, 4])
        show(chunks(9, 4), chunks(-9, 4), chunks(9.5, 2), chunks(rows, 2), chunks(rows, torch.tensor(2.5)))
        show(method(rows, 2), method(rows.float(), 2), method(rows, 1.5))
        show(torch.div(rows, rows + 9, rounding_mode="floor"))
        """,
        "paddle",
    )


def test_embeddings_made_frozen(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn

        class Positions(nn.Embedding):
            def __init__(self, count, size, padding_idx=None):
                super().__init__(count, size, padding_idx, _freeze=True)

        for made in [Positions(4, 2), Positions(4, 2, 1), nn.Embedding(4, 2, _freeze=True), nn.Embedding(4, 2)]:
            with torch.no_grad():
                made.weight.fill_(2.0)
            show(made(torch.tensor([0, 1])), made.weight.requires_grad)
        """,
        "paddle",
    )
