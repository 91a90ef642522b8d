"""``exec("self.w = torch.zeros(3)")``"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rewriters.report import Site

PROGRAM = """
import torch
class Net:
    def __init__(self, n):
        for i in range(n):
            exec(f"self.bias_{i} = torch.zeros({i} + 1)")
        self.dtype = eval("torch." + "float32")
        self.n = eval("1 + 2")
    def forward(self, x):
        return torch.relu(x)
"""


@pytest.mark.parametrize(("target", "marked"), [("paddle", [6, 7]), ("jax", [6, 7]), ("oneflow", [])])
def test_texts_that_name_torch_are_marked(sites: Callable[..., list[Site]], target: str, marked: list[int]) -> None:
    """But where the name stays."""
    assert [site.line for site in sites(PROGRAM, target) if "runs as code" in site.detail] == marked
