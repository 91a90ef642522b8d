"""torch: functions of each element."""

import framework
import torch

from rewriters.rule import rule


@rule(torch.selu)
def selu(input):
    return framework.nn.functional.selu(input)


@rule(torch.celu)
def celu(input, alpha=1.0):
    return framework.nn.functional.celu(input, alpha=alpha)


@rule(torch.true_divide, torch.Tensor.true_divide)
def true_divide(input, other):
    return input / other


@rule(torch.lerp, torch.Tensor.lerp)
def lerp(input, end, weight):
    # framework.lerp gives a weight that is broadcast no gradient
    return input + weight * (end - input)
