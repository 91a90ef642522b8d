"""A tensor of one element is a number to ``float``, ``int`` and ``math``, whatever axes it has."""

from __future__ import annotations

import pytest

PROGRAM = """
    import math
    import torch

    t = torch.tensor([2.5])
    i = torch.tensor([[7]])
    show(float(t), int(t), float(i), int(i), float(i * t), int(torch.ones(1, 1) * 3), float(t > 1), int(t > 3))
    show(float(torch.tensor([1.5], dtype=torch.bfloat16)), int(torch.tensor([3.9], dtype=torch.float16)))
    show(float(t.double()), [float(x) for x in t], math.sqrt(t), math.floor(t), math.log(i + 1), int(torch.argmax(t)))
    w = torch.tensor([[0.5]], requires_grad=True)
    show(float(w * 2), float((w * w).sum()), round(float(w), 1), range(int(i))[-1])

    def numbers(x: torch.Tensor):
        return float(x), int(x), float(x.mean()), int(x.sum().item())

    show(numbers(t), numbers(torch.tensor(4.0)), numbers(t[0]), complex(t))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_numbers(agrees, target):
    agrees(PROGRAM, target)


def test_sizes_of_numpy_as_arguments_of_their_own(agrees):
    program = """
        import numpy as np
        import torch
        def shaped(x, sizes):
            part = x.view(1, sizes[0] * sizes[1]), x.reshape(sizes[0], sizes[1], 1), x.view(*sizes)
            return (*part, x[:, :1].expand(2, sizes[0]), x.repeat(sizes[0], 1))
        show(*shaped(torch.arange(8.0).reshape(2, 4), np.array([2, 4])))
    """
    agrees(program, "paddle")
