"""torch: activations."""

import paddle
import torch

from rewriters.rule import becomes, family, rule
from rewriters.targets.paddle.rules.nn.functional.activation import celu_of_two

becomes(torch.threshold_, paddle.nn.functional.thresholded_relu_)


@rule(torch.selu_)
def selu_(input):
    return paddle.assign(paddle.nn.functional.selu(input.clone()), input)


@rule(torch.celu_)
def celu_(input, alpha=1.0):
    return paddle.assign(celu_of_two(input.clone(), alpha), input)


@rule(torch.rrelu_)
def rrelu_(input, lower=1 / 8, upper=1 / 3, training=False):
    return paddle.assign(paddle.nn.functional.rrelu(input.clone(), lower, upper, training=training), input)


@family("alpha feature_alpha")
@rule(torch.alpha_dropout)
def alpha_dropout(input, p, train):
    return paddle.nn.functional.alpha_dropout(input, p, training=train)
