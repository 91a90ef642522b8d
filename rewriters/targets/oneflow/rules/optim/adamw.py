"""torch.optim: AdamW."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.optim.AdamW)
def AdamW(
    params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=1e-2, amsgrad=False, *, maximize=False, foreach=None,
    capturable=False, differentiable=False, fused=None,
):  # fmt: skip
    if differentiable:
        raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
    if maximize:
        raise NotImplementedError("OneFlow's AdamW minimizes; negate the loss")
    # OneFlow's default weight decay is 0, torch's 0.01
    return oneflow.optim.AdamW(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)
