"""Losses with torch's old flags, as functions and layers: size_average and reduce."""

from __future__ import annotations

from collections.abc import Callable

import pytest

FUNCTIONS = {
    "l1_loss": "x, y",
    "mse_loss": "x, y",
    "smooth_l1_loss": "x, y",
    "cross_entropy": "x, c",
    "nll_loss": "x.log(), c",
    "binary_cross_entropy": "x, y",
    "binary_cross_entropy_with_logits": "x, y",
    "kl_div": "x.log(), y",
    "poisson_nll_loss": "x, y",
    "soft_margin_loss": "x, s",
    "hinge_embedding_loss": "x, s",
    "margin_ranking_loss": "x[:, 0], x[:, 1], s[:, 0]",
    "cosine_embedding_loss": "x, y, s[:, 0]",
    "multilabel_soft_margin_loss": "x, y",
    "multi_margin_loss": "x, c",
    "multilabel_margin_loss": "x, torch.tensor([[0, 1, -1], [2, -1, 0]])",
    "triplet_margin_loss": "x, y, y.flip(1)",
}
LAYERS = {
    "L1Loss": "l1_loss",
    "MSELoss": "mse_loss",
    "SmoothL1Loss": "smooth_l1_loss",
    "CrossEntropyLoss": "cross_entropy",
    "NLLLoss": "nll_loss",
    "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "KLDivLoss": "kl_div",
    "PoissonNLLLoss": "poisson_nll_loss",
    "SoftMarginLoss": "soft_margin_loss",
    "HingeEmbeddingLoss": "hinge_embedding_loss",
    "MarginRankingLoss": "margin_ranking_loss",
    "CosineEmbeddingLoss": "cosine_embedding_loss",
    "MultiLabelSoftMarginLoss": "multilabel_soft_margin_loss",
    "MultiMarginLoss": "multi_margin_loss",
    "MultiLabelMarginLoss": "multilabel_margin_loss",
    "TripletMarginLoss": "triplet_margin_loss",
}
FLAGS = (
    "size_average=False", "reduce=False", "size_average=True, reduce=True", "reduce=True, size_average=False",
    "size_average=True, reduce=False", "size_average=flag", "reduce=flag", "size_average=0", "reduction='sum'",
    "reduction='none', size_average=None",
)  # fmt: skip
HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F

flag = len([]) > 0
x = torch.tensor([[0.2, 0.7, 0.1], [0.5, 0.3, 0.4]])
y = torch.tensor([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
c = torch.tensor([2, 0])
s = torch.tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])
"""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(agrees: Callable[..., object], name: str) -> None:
    lines = [f"show(F.{name}({FUNCTIONS[name]}, {flags}))" for flags in FLAGS]
    agrees(HEAD + "\n".join(lines), "oneflow")


@pytest.mark.parametrize("name", LAYERS)
def test_layers(agrees: Callable[..., object], name: str) -> None:
    lines = [f"show(nn.{name}({flags})({FUNCTIONS[LAYERS[name]]}))" for flags in FLAGS]
    agrees(HEAD + "\n".join(lines), "oneflow")


def test_where_errors_are_caught_operands_are_broadcast(agrees: Callable[..., object]) -> None:
    program = """
values = x[0]
some = values
try:
    loss = F.smooth_l1_loss(some, some[[0]])
except RuntimeError:
    loss = some
low = torch.tensor(0.463, dtype=torch.float64)
try:
    either = torch.where(low < 0.1, low, some.mul(y))
except RuntimeError:
    either = low
try:
    total = low + c * some[0]
except Exception:
    total = low
show(loss, either, total)
"""
    agrees(HEAD + program, "oneflow")
