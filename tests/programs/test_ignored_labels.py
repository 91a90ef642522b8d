"""Losses of classes: labels that are left out, and the number that a mean is divided by."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.arange(12.0).reshape(3, 4).sin()
y = torch.tensor([0, -100, 3])
w = torch.tensor([1.0, 2.0, 3.0, 4.0])
"""
PROGRAMS = {
    "default": "show(F.cross_entropy(x, y), nn.CrossEntropyLoss()(x, y), F.nll_loss(x, y), nn.NLLLoss()(x, y))",
    "weights": "show(F.cross_entropy(x, y, w), nn.CrossEntropyLoss(w)(x, y), F.nll_loss(x, y, w), nn.NLLLoss(w)(x, y))",
    "own number": """
        t = torch.tensor([0, -1, 3])
        show(F.cross_entropy(x, t, ignore_index=-1), nn.CrossEntropyLoss(ignore_index=-1)(x, t))
        show(F.nll_loss(x, t, ignore_index=-1), nn.NLLLoss(ignore_index=-1)(x, t))
        show(F.cross_entropy(x, torch.tensor([0, 2, 3]), ignore_index=0))
    """,
    "named": """
        PAD = -1
        def loss(logits, labels):
            return F.cross_entropy(logits.view(-1, logits.size(-1)), labels.view(-1), ignore_index=PAD)
        show(loss(x, torch.tensor([0, -1, 3])))
    """,
    "reductions": "show([F.cross_entropy(x, y, reduction=r) for r in ('mean', 'sum', 'none')])",
    "old arguments": """
        import warnings
        warnings.simplefilter("ignore")
        show(F.cross_entropy(x, y, size_average=True), F.cross_entropy(x, y, None, None, -100, False))
        show(nn.CrossEntropyLoss(size_average=True)(x, y), nn.NLLLoss(reduce=False)(x, y))
    """,
    "all ignored": """
        a, b = torch.full((3,), -100), torch.zeros(3, dtype=torch.long)
        show(F.cross_entropy(x, a), F.cross_entropy(x, b, ignore_index=0), F.nll_loss(x, a), F.cross_entropy(x, a, w))
        show(nn.CrossEntropyLoss(ignore_index=0)(x, b), F.cross_entropy(x, a, reduction="sum"))
    """,
    "images": """
        x = torch.arange(48.0).reshape(2, 4, 2, 3).sin()
        y = torch.tensor([[[0, 1, 2], [3, -100, 0]], [[0, -100, 1], [2, 2, 2]]])
        for r in ("mean", "sum", "none"):
            show(F.cross_entropy(x, y, reduction=r), nn.CrossEntropyLoss(w, reduction=r)(x, y))
            show(F.nll_loss(x, y, w, reduction=r))
    """,
    "smoothing": "show(F.cross_entropy(x, y, w, label_smoothing=0.1), nn.CrossEntropyLoss(label_smoothing=0.1)(x, y))",
    "gradients": """
        x.requires_grad_()
        F.cross_entropy(x, y).backward()
        show(x.grad)
    """,
    "values": """
        losses = {"ce": F.cross_entropy, "nll": F.nll_loss, "layer": nn.CrossEntropyLoss()}
        show([loss(x, y) for loss in losses.values()])
    """,
    "derived": """
        class Twice(nn.CrossEntropyLoss):
            def forward(self, logits, labels):
                return super().forward(logits, labels) * 2
        show(Twice()(x, y), Twice(w, reduction="sum")(x, y), isinstance(Twice(), nn.CrossEntropyLoss))
    """,
    "a number made": "y[y < 0] = 1 - 101\nshow(F.cross_entropy(x, y))",
    "asked of the loss": """
        loss = nn.CrossEntropyLoss()
        show(loss(x, torch.tensor([0, loss.ignore_index, 3])))
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, target: str, agrees: Callable[..., object]) -> None:
    if (name, target) == ("old arguments", "oneflow"):
        pytest.skip("arguments of before 0.4.1 have a test of their own there")
    agrees(HEAD + dedent(PROGRAMS[name]), target)


def test_plain_where_no_label_is_ignored(outcome: Callable[..., object]) -> None:
    found = outcome(
        """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F

        criterion = nn.CrossEntropyLoss()
        x, y = torch.ones(2, 3), torch.tensor([0, 2])
        show(F.cross_entropy(x, y), criterion(x, y), F.nll_loss(x, y))
        show(isinstance(criterion, nn.CrossEntropyLoss))
        """,
        "paddle",
    )
    assert found.verdict == "agrees", str(found)
    text = found.converted["program.py"]
    assert "criterion = nn.CrossEntropyLoss(axis=1)" in text
    assert "show(F.cross_entropy(x, y, axis=1), criterion(x, y), F.nll_loss(x, y)" in text
