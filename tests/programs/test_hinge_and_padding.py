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


NEGATIVE = """
import torch
import torch.nn.functional as F
def shift(t, amount):
    if amount == 0:
        return t
    return F.pad(t, (0, 0, amount, -amount), value=0.)
x = torch.arange(24.).reshape(1, 6, 4).requires_grad_()
shift(x, 2).square().sum().backward()
show(shift(x, 1).detach(), shift(x, -1).detach(), shift(x, 0).detach(), x.grad)
y, m = x.detach(), 1
show(F.pad(y, (-1, 1)), F.pad(y, [-1, -2]), F.pad(y[0], (-1, 1)), F.pad(y > 3, (0, 0, -1, 1), value=True))
show(F.pad(y.long(), (1, -1), value=7), torch.constant_pad_nd(y, (1, -2), 2.), F.pad(y, pad=(0, 0, -m, 0)))
show(F.pad(y, (-2, 2), "constant", 1), F.pad(y, (1, 1, m - 1, 0), mode="reflect"), F.pad(y, (0, 3 - m)))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_negative_amounts_take_away(agrees, target):
    agrees(NEGATIVE, target)


def test_other_amounts_stay_plain(agrees):
    ran = agrees(
        """
        import torch
        import torch.nn.functional as F
        x = torch.arange(6.).reshape(2, 3)
        n = 2
        show(F.pad(x, (0, n - 1)), F.pad(x, (x.shape[-1], 0)))
        """,
        "paddle",
    )
    assert "pad_or_crop" not in ran.converted["program.py"]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_hinge_and_padding(agrees, name, target):
    agrees(PROGRAMS[name], target)
