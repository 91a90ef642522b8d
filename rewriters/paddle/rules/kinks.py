"""Gradients that are Paddle's own at single points."""

import torch

from rewriters.rule import note

note(
    torch.nn.functional.binary_cross_entropy_with_logits,
    torch.nn.BCEWithLogitsLoss,
    "where a logit is exactly 0 (a last layer that begins with zeros) Paddle's gradient is one too low: sigmoid(x) - "
    "label - 1",
)
note(
    torch.nn.functional.leaky_relu,
    torch.nn.LeakyReLU,
    "at exactly 0 Paddle's gradient is 1, torch's the slope",
)
