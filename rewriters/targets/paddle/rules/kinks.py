"""Gradients that are Paddle's own at single points."""

import torch

from rewriters.rule import note

note(
    torch.nn.functional.leaky_relu,
    torch.nn.LeakyReLU,
    "at exactly 0 Paddle's gradient is 1, torch's the slope",
)
