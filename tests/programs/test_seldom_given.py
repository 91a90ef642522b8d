"""Parameters that are seldom given mean what they do in torch, and are not dropped."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from migrate.programs import Outcome

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

DTYPES = """
    import torch
    import torch.nn as nn
    of = {"dtype": torch.float64}
    layers = nn.PReLU(**of), nn.RMSNorm(2, **of), nn.Bilinear(2, 2, 1, **of), nn.PReLU(init=1)
    show([layer.weight.dtype for layer in layers], layers[2].bias.dtype)
    whole = nn.Transformer(4, 2, 1, 1, dtype=torch.float64)
    parts = nn.TransformerEncoderLayer(4, 2, **of), nn.TransformerDecoderLayer(4, 2, **of), whole.decoder.layers[0]
    show([part.linear1.weight.dtype for part in parts])
"""
TIED = """
    import torch
    import torch.nn as nn
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.out = nn.Embedding(3, 2), nn.Linear(2, 3, bias=False)
            self.out.weight = self.table.weight

        def forward(self, places):
            return self.out(self.table(places))

    net, places = Net(), torch.tensor([0, 2])
    show(torch.func.functional_call(net, {"table.weight": torch.full((3, 2), 20.0)}, (places,)), net(places).max() < 99)
"""
SPARSE = """
    import torch
    show(torch.sparse.softmax(torch.eye(2).to_sparse(), 1, dtype=torch.float64).to_dense())
"""
HEAD = "import torch\nx = torch.tensor([[2.0, 1.0], [4.0, 5.0]])\np = [torch.ones(2, requires_grad=True)]\n"
# What nothing answers for is said, and not left out. Of a pivot torch's CPU says that it has no such kernel.
REFUSED = {
    "paddle": [
        "try: show(torch.linalg.lu(x, pivot=False))\nexcept RuntimeError: show(1)",
        "torch.distributions.AffineTransform(torch.zeros(2), torch.ones(2), event_dim=1)\nshow(1)",
        "show(torch.autograd.functional.hvp(lambda v: (v ** 3).sum(), p[0], p[0], create_graph=True)[1].requires_grad)",
        "torch.optim.SGD([p[0].clone()], lr=0.1, differentiable=True)\nshow(1)",
    ],
    "oneflow": [
        "show(torch.nn.utils.get_total_norm(p, error_if_nonfinite=True) > 0)",
        "torch.nn.Flatten().register_forward_hook(print, always_call=True)\nshow(1)",
        "torch.optim.Adam([p[0].clone()], lr=0.1, differentiable=True)\nshow(1)",
    ],
    "jax": [
        "show(torch.func.vmap(lambda v: torch.rand(2), randomness='different')(x).shape)",
        "show(torch.func.functional_call(torch.nn.Flatten(), {}, (x,), tie_weights=False))",
        "show(torch.stft(x[0].repeat(8), 8, center=False, window=torch.ones(8), return_complex=True,"
        " align_to_window=True).shape)",
    ],
}


def test_weights_of_an_embedding(agrees: Callable[..., object]) -> None:
    for target in ("oneflow", "jax"):
        agrees(dedent(EMBEDDINGS), target)


def test_gradients_by_frequency(agrees: Callable[..., object]) -> None:
    for target in ("paddle", "oneflow"):
        agrees(dedent(BY_FREQUENCY), target)


def test_diagonals_that_begin_anew(agrees: Callable[..., object]) -> None:
    for target in ("paddle", "oneflow"):
        agrees(dedent(DIAGONALS), target)


def test_dtypes_of_layers(agrees: Callable[..., object]) -> None:
    agrees(dedent(DTYPES), "oneflow")


def test_what_is_tied_is_given_once(agrees: Callable[..., object]) -> None:
    for target in ("paddle", "jax"):
        agrees(dedent(TIED), target)


def test_dtype_of_a_sparse_softmax(agrees: Callable[..., object]) -> None:
    agrees(dedent(SPARSE), "paddle")


@pytest.mark.parametrize(("target", "text"), [(target, text) for target, all_of in REFUSED.items() for text in all_of])
def test_what_is_not_heeded_is_marked(announced: Callable[..., object], target: str, text: str) -> None:
    announced(HEAD + text, target)


def test_what_a_class_does_not_heed_raises(outcome: Callable[..., Outcome]) -> None:
    found = outcome(f"{HEAD}torch.optim.ASGD([p[0].clone()], lr=0.1, differentiable=True)\nshow(1)", "paddle")
    assert found.verdict == "marked", str(found)
    assert "in no graph" in found.detail
