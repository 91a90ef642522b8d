"""Rows and repeats: an embedding's padding, narrow from the end, tile."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

PROGRAMS = {
    "padding": """
        e = nn.Embedding(4, 3, padding_idx=1)
        show(e.weight[1], isinstance(e, nn.Embedding), e(torch.tensor([1])))
        with torch.no_grad():
            e.weight.copy_(torch.arange(12.0).reshape(4, 3))
        show(e(torch.tensor([0, 1, 2])), e(torch.tensor([[1], [3]])))
        e(torch.tensor([1, 2, 2])).sum().backward()
        show(e.weight.grad)
    """,
    "padding of given rows": """
        rows = torch.arange(12.0).reshape(4, 3)
        e = nn.Embedding.from_pretrained(rows, padding_idx=0)
        show(e(torch.tensor([0, 3])), e.weight.requires_grad)
        e = nn.Embedding.from_pretrained(rows, freeze=False, padding_idx=3)
        e(torch.tensor([0, 3])).sum().backward()
        show(e(torch.tensor([0, 3])), e.weight.grad)
    """,
    "tile": "x = torch.arange(3.0)\nshow(x.tile(2, 1), x.tile((2,)), x.tile(2), torch.tile(x, (2, 2)))",
    "narrow": """
        x = torch.arange(12.0).reshape(3, 4)
        show(x.narrow(1, -2, 2), x.narrow(0, torch.tensor(-1), 1), torch.narrow(x, 1, 1, 2), x.narrow(-1, 0, 2))
        def last(x: torch.Tensor, n: int):
            return x.narrow(1, -n, n)
        show(last(x, 3), [x.narrow(0, i, 1) for i in range(3)])
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, agrees: Callable[..., object]) -> None:
    agrees("import torch\nimport torch.nn as nn\n" + dedent(PROGRAMS[name]), "paddle")
