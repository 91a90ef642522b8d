"""Norms of tensors over axes: of elements, or of matrices."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = "import torch\nimport torch.nn.functional as F\n\nx = torch.arange(24.0).reshape(2, 3, 4) - 5\nm = x[0]\n"
PROGRAMS = {
    "two axes": "show(m.norm(p=2, dim=(0, 1)), x.norm(2, dim=(1, 2)), torch.norm(x, 2, (0, 2), keepdim=True))",
    "other orders": "show(m.norm(p=1, dim=(0, 1)), m.norm(p=3, dim=(0, 1)), m.norm(p=float('inf'), dim=(0, 1)))",
    "three axes": "show(x.norm(p=1, dim=(0, 1, 2)), x.norm(p=2, dim=[0, 1, 2]), x.norm())",
    "one axis": "show(m.norm(dim=1), m.norm(2, 1, True), m.norm(2, dim=[0]), m.norm(p=-float('inf'), dim=0))",
    "names": "show(m.norm(p='fro', dim=(0, 1)), torch.norm(m, 'fro'), torch.norm(m, p='nuc'), m.norm(dim=(0, 1)))",
    "unknown": """
        def f(x: torch.Tensor, p, d):
            return x.norm(p, dim=d)
        show(f(m, 2, (0, 1)), f(m, 1, (0, 1)), f(m, 2, 0), f(m, "fro", (0, 1)), f(m, 2, None), f(m, "nuc", (0, 1)))
    """,
    "dtype": "show(m.norm(2, dtype=torch.float64), torch.norm(m, dtype=torch.float64))",
    "linalg": """
        show(torch.linalg.norm(m), torch.linalg.norm(x, dim=(1, 2)), torch.linalg.norm(x, 2, dim=(1, 2)))
        show(torch.linalg.norm(x, 1, dim=(1, 2)), torch.linalg.norm(x, "nuc", dim=(1, 2)), torch.linalg.norm(m, dim=0))
        show(torch.linalg.vector_norm(x, 1, (0, 1)), torch.linalg.matrix_norm(x), torch.linalg.vector_norm(x, 0))
    """,
    "of numbers": """
        def norms(x):
            first = torch.linalg.norm(x, dim=0), torch.norm(x, dim=-1), x.norm(2, 0), F.normalize(x, dim=0)
            others = x.norm(dim=0, keepdim=True), x.norm(0, dim=0), torch.linalg.vector_norm(x, dim=0)
            return *first, x.norm(1, dim=0), *others

        show(norms(torch.tensor(-3.0)), norms(torch.tensor([3.0])), torch.tensor(2.0).norm(dim=0))
        show(F.normalize(F.l1_loss(m, m + 1, reduction="sum"), dim=0), torch.norm(F.mse_loss(m, m + 2), dim=0))
        y = torch.tensor(-2.0, requires_grad=True)
        (norms(y)[2] * 3 + norms(y)[4]).backward()
        show(y.grad)
    """,
    "likeness of what has no axes": """
        x = torch.tensor([0.547, -1.0])
        show(F.cosine_similarity(x[0], x[1], dim=-1), F.cosine_similarity(x, x, 0), F.cosine_similarity(x[0], x, 0))
        def tick(what, value):
            return value
        show(F.normalize(tick("x", x[0]), dim=tick("k", 1) - 1), [F.cosine_similarity(p, p, dim=-1) for p in [x[1], x]])
        class Held:
            def __init__(self, value):
                self.value = value
            def get(self):
                return self.value
        show(F.normalize(Held(x[0]).get(), dim=1 - 1))
        show(F.normalize(Held(torch.aminmax(x)[1]).get(), dim=0), F.normalize(Held(x.amax()).get(), dim=0))
    """,
    "normalize": "show(F.normalize(m), F.normalize(m, dim=(0, 1)), F.normalize(m, p=1, dim=[0, 1]))",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), "paddle")
