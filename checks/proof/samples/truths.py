"""Truth values and bytes, counted and beside numbers."""

import torch


def counted(a0: "float32[2,3]", a1: "float32[3]"):
    some = {"a": a0, "b": a1}[min("ab")]
    return torch.sum(some > 0), (some > 0.5).sum(), torch.sum(a0[:, 0] > 0)


def less_bytes(a0: "float32[2,3]"):
    mask = (a0 > 0.5).byte()
    return 1.0 - mask, 2.5 - mask * 2
