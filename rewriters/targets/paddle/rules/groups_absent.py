"""Whole packages of torch that Paddle has no counterpart for, or another way: what to do instead."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.nn.modules.conv._ConvNd, "paddle.nn.layer.conv._ConvNd")
alias(torch.nn.modules.instancenorm._InstanceNorm, "paddle.nn.layer.norm._InstanceNormBase")
alias(torch.optim.lr_scheduler._LRScheduler, "paddle.optimizer.lr.LRScheduler")


# Both hand their input on; the first is where paddle.quantization puts an observer.


@rule(torch.quantization.QuantStub)
def QuantStub(qconfig=None):
    return paddle.nn.quant.Stub()


@rule(torch.quantization.DeQuantStub)
def DeQuantStub(qconfig=None):
    return paddle.nn.Identity()


# there are no tensors of these kinds


@rule(
    torch.masked.is_masked_tensor,
    torch.nn.utils.parametrize.is_traceable_wrapper_subclass,
    torch.nn.utils.parametrize.is_opaque_reference_type,
)
def is_masked_tensor(obj):
    return False


@rule(torch.nn.utils.parametrize.get_swap_module_params_on_conversion)
def get_swap_module_params_on_conversion():
    return False
