"""torch.nn.init: Paddle's functions of the same names fill in place too, but return nothing."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.init.kaiming_normal_)
def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    paddle.nn.init.kaiming_normal_(tensor, a=a, mode=mode, nonlinearity=nonlinearity)
    return tensor


@rule(torch.nn.init.kaiming_uniform_)
def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    paddle.nn.init.kaiming_uniform_(tensor, a=a, mode=mode, nonlinearity=nonlinearity)
    return tensor


@rule(torch.nn.init.normal_)
def normal_(tensor, mean=0.0, std=1.0):
    paddle.nn.init.normal_(tensor, mean=mean, std=std)
    return tensor


@rule(torch.nn.init.constant_)
def constant_(tensor, val):
    paddle.nn.init.constant_(tensor, val)
    return tensor


@rule(torch.nn.init.zeros_)
def zeros_(tensor):
    paddle.nn.init.zeros_(tensor)
    return tensor


@rule(torch.nn.init.ones_)
def ones_(tensor):
    paddle.nn.init.ones_(tensor)
    return tensor
