"""Losses that lie in dicts and lists, and what is set of them afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

KEPT = """
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    x, t = torch.tensor([[0.1, 0.9], [0.4, 0.6]]), torch.tensor([0, 1])
    kinds = {"ce": nn.CrossEntropyLoss, "mse": nn.MSELoss}
    show(kinds["ce"]()(x, t), kinds["ce"](reduction="sum")(x, t))
    only = {"nll": nn.NLLLoss}
    show(only["nll"]()(x, t), only["nll"](reduction="none")(x, t))
    functions = dict(ce=F.cross_entropy)
    show(functions["ce"](x, t), functions["ce"](x, t, reduction="none"), [F.nll_loss][0](x, t))
"""
SET = """
    import torch
    import torch.nn as nn
    x, y = torch.tensor([[0.1, 0.9], [0.4, 0.6]]).log(), torch.tensor([[0.5, 0.5], [0.3, 0.7]])
    loss = nn.KLDivLoss()
    loss.reduction = "sum"
    show(loss(x, y), loss.reduction)
    other = nn.KLDivLoss(reduction="batchmean")
    show(other(x, y))
    other.reduction = "none"
    other.log_target = True
    show(other(x, y.log()), other.reduction)
"""


@pytest.mark.parametrize("program", [KEPT, SET], ids=["kept", "set"])
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_losses(program: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(program, target)
