"""The optimizers of a check that is told none. The target's side runs the conversion of this very file."""

import torch


def sgd(model: torch.nn.Module) -> torch.optim.Optimizer:
    """Plain, with momentum."""
    return torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)


def adamw(model: torch.nn.Module) -> torch.optim.Optimizer:
    """With torch's own defaults."""
    return torch.optim.AdamW(model.parameters(), lr=0.001)
