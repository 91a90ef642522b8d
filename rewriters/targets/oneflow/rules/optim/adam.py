"""torch.optim: Adam."""

import oneflow
import torch

from rewriters.rule import note, rule

note(
    torch.optim.Adam,
    torch.optim.AdamW,
    "OneFlow counts the steps of all parameters together: one that has no gradient in some moves otherwise",
)


@rule(torch.optim.Adam)
def Adam(
    params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False,
    capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False,
):  # fmt: skip
    if differentiable:
        raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
    if maximize:
        raise NotImplementedError("OneFlow's Adam minimizes; negate the loss")
    if decoupled_weight_decay:
        return oneflow.optim.AdamW(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)
    return oneflow.optim.Adam(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)
