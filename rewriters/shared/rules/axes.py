"""Order of axes."""

import framework
import torch

from rewriters.rule import becomes, family, rule

becomes(torch.t_copy, framework.t)


@family("fliplr flipud", "1 0")
@rule(torch.fliplr, torch.Tensor.fliplr)
def fliplr(input):
    return framework.flip(input, 1)
