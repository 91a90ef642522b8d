"""Order of axes."""

import framework
import torch

from rewriters.rule import family, rule


@rule(torch.t_copy)
def t_copy(input):
    return framework.t(input)


@family("fliplr flipud", "1 0")
@rule(torch.fliplr, torch.Tensor.fliplr)
def fliplr(input):
    return framework.flip(input, 1)
