"""torch: with and without gradients."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.no_grad, "paddle.no_grad")
alias(torch.enable_grad, "paddle.enable_grad")
alias(torch.set_grad_enabled, "paddle.set_grad_enabled")


@rule(torch.inference_mode)
def inference_mode(mode=True):
    return paddle.set_grad_enabled(not mode) if mode is not True else paddle.no_grad()


@rule(torch.is_grad_enabled)
def is_grad_enabled():
    return paddle.is_grad_enabled()


@rule(torch.is_inference, torch.Tensor.is_inference)
def is_inference(input):
    return False
