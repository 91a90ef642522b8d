"""What programs on models begin with: imports, and weights that are the same in torch and in a target."""

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F


def init(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape))
    return m


"""
