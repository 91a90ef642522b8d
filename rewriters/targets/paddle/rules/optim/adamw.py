"""torch.optim: AdamW."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.AdamW)
def AdamW(
    params,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-08,
    weight_decay=1e-2,
    amsgrad=False,
    *,
    maximize=False,
    foreach=None,
    capturable=False,
    differentiable=False,
    fused=None,
):
    if differentiable:
        raise NotImplementedError("Paddle's steps are in no graph; write the update out")
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.AdamW(
        learning_rate=lr,
        beta1=betas[0],
        beta2=betas[1],
        epsilon=eps,
        parameters=params,
        weight_decay=weight_decay,
        amsgrad=amsgrad,
    )
