"""Tensors of 8 bits where a target has no kernels for them: masks of older programs, pairs by labels, pictures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAM = """
import torch
def pairs(labels):
    same = (labels[:, None] == labels[None]).byte()
    other = same ^ 1
    same.fill_diagonal_(0)
    return same, other
labels = torch.tensor([0, 0, 1, 1, 2])
same, other = pairs(labels)
show(same, other, torch.where(same), torch.where(other), torch.where(same.unsqueeze(2) * other.unsqueeze(1)))
n, m = same.nonzero().t(), torch.nonzero(other, as_tuple=True)
show(n, m)
m = same.triu() + other.tril(-1)
m *= other
show(m, m - same)
show(same.max(), other.min(1), same.flip(0), same.flip(0, 1), same.roll(1, dims=0))
class Masked(torch.nn.Module):
    def forward(self, scores, mask=None):
        if mask is None:
            mask = torch.ones(scores.shape[:2], dtype=torch.uint8)
        total = scores[0]
        for i in range(1, scores.shape[0]):
            total = torch.where(mask[i].unsqueeze(1), total + scores[i], total)
        ends = mask.long().sum(dim=0) - 1
        return total, ends, (mask * 1.0).sum(), 1 - mask
x = torch.arange(12.0).reshape(3, 2, 2)
show(Masked()(x), Masked()(x, torch.tensor([[1, 1], [1, 0], [0, 1]], dtype=torch.uint8)))
def either(v):
    found = v * v, v - v, v.max(), v.abs()
    return found, torch.maximum(v, v), v.clamp(0, 1), v.nonzero(), v.flip(0)
show(either(torch.tensor([3, 20, 0], dtype=torch.uint8)))
show(either(torch.tensor([1.5, -2.0, 0.0])))
show(either(torch.tensor([3, -5])))
show(torch.logical_and(same, other))
show(torch.nn.functional.pad(same, (1, 0), value=1))
show(same[0].repeat_interleave(2))
show(same % 2)
show(same ** 2)
show(same.topk(2, 1)[0])
im = torch.arange(24, dtype=torch.uint8).reshape(2, 3, 4)
show(im.index_select(1, torch.tensor([0, 2])))
show(im.unique())
show(im.clamp(3, 9))
show(im.sub(im))
show(im.mul(im))
show(im.float().sub(im))
show((im - im.float()).sum())
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_computed_in_wider_integers(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(PROGRAM, target)
