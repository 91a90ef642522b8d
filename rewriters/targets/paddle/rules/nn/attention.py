"""torch.nn: attention."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.nn.attention.SDPBackend, "paddle.nn.attention.SDPBackend")
alias(torch.nn.attention.SDPBackend.MATH, "paddle.nn.attention.SDPBackend.MATH")
alias(torch.nn.attention.SDPBackend.FLASH_ATTENTION, "paddle.nn.attention.SDPBackend.FLASH_ATTENTION")
alias(torch.nn.attention.SDPBackend.EFFICIENT_ATTENTION, "paddle.nn.attention.SDPBackend.EFFICIENT_ATTENTION")


@rule(torch.nn.attention.sdpa_kernel)
def sdpa_kernel(backends, set_priority=False):
    return paddle.nn.attention.sdpa_kernel(backends, set_priority)
