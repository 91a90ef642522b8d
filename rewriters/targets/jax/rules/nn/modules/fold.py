"""torch.nn.modules: Fold and Unfold."""

import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.functional.convolution import fold, unfold
from rewriters.targets.jax.rules.nn.modules.module import Module


@rule(torch.nn.Unfold)
class Unfold(Module):
    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def __call__(self, input):
        return unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


@rule(torch.nn.Fold)
class Fold(Module):
    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.output_size = output_size
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def __call__(self, input):
        return fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)
