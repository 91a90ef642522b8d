"""torch.nn: parameters."""

import paddle
import torch

from rewriters.rule import alias, rule


@rule(torch.nn.Parameter)
def Parameter(data=None):
    return paddle.nn.Parameter(data)


@rule(torch.nn.Parameter)
def Parameter(data=None, requires_grad=True):
    return paddle.nn.Parameter(data, requires_grad=requires_grad)


alias(torch.nn.Parameter, "paddle.nn.Parameter")


@rule(torch.nn.parameter.is_lazy)
def is_lazy(param):
    return False
