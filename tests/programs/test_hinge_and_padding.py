"""Labels other than 1 and -1 belong to both parts of the hinge loss; a padding index counts from the end."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "hinge": """
    import torch
    import torch.nn.functional as F

    x = torch.tensor([0.5, -1.0, 2.0, 3.0], requires_grad=True)
    labels = torch.tensor([1.0, -1.0, 0.0, 2.0])
    show(F.hinge_embedding_loss(x, labels).detach(), F.hinge_embedding_loss(x, labels, 0.5, reduction="none").detach())
    F.hinge_embedding_loss(x, labels, reduction="sum").backward()
    show(x.grad, F.hinge_embedding_loss(x.detach(), torch.tensor([1, -1, 1, -1]), margin=2.5))
    """,
    "padding": """
    import torch
    from torch import nn

    e = nn.Embedding.from_pretrained(torch.arange(6.0).view(3, 2), freeze=False, padding_idx=-1)
    e(torch.tensor([0, 2, 2])).sum().backward()
    show(e.weight.grad, e(torch.tensor([2])).detach(), e.padding_idx)
    e = nn.Embedding(3, 2, padding_idx=-2)
    e(torch.tensor([0, 1, 2])).sum().backward()
    show(e.weight.grad, e.padding_idx)
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_hinge_and_padding(agrees, name, target):
    agrees(PROGRAMS[name], target)
