"""Functions of tensors that are given Python's numbers alone."""

import torch


def numbers(a0: "float32[2,3]"):
    return (
        torch.add(3, 2, alpha=2) * a0,
        torch.sub(3, 2),
        torch.subtract(2.5, 2),
        torch.mul(3, 2.5),
        torch.multiply(2, 3),
        torch.div(3, 2),
        torch.divide(a0.size(0), 4),
        torch.true_divide(6, 2),
        torch.floor_divide(7, 2),
    )
