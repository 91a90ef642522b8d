"""Layers of einops, which has none for NNX; its functions take JAX's arrays."""

import einops

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.modules.module import Module


@rule("einops.layers.torch.Rearrange")
class Rearrange(Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths

    def __call__(self, input):
        return einops.rearrange(input, self.pattern, **self.axes_lengths)


@rule("einops.layers.torch.Reduce")
class Reduce(Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths

    def __call__(self, input):
        return einops.reduce(input, self.pattern, self.reduction, **self.axes_lengths)
