"""torch.optim: Adam."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.Adam)
def Adam(
    params,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-08,
    weight_decay=None,
    amsgrad=False,
    *,
    foreach=None,
    maximize=False,
    capturable=False,
    differentiable=False,
    fused=None,
    decoupled_weight_decay=False,
):
    if differentiable:
        raise NotImplementedError("Paddle's steps are in no graph; write the update out")
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    if decoupled_weight_decay:
        return paddle.optimizer.AdamW(
            learning_rate=lr,
            beta1=betas[0],
            beta2=betas[1],
            epsilon=eps,
            parameters=params,
            weight_decay=0.0 if weight_decay is None else weight_decay,
            amsgrad=amsgrad,
        )
    return paddle.optimizer.Adam(
        learning_rate=lr,
        beta1=betas[0],
        beta2=betas[1],
        epsilon=eps,
        parameters=params,
        weight_decay=weight_decay,
        amsgrad=amsgrad,
    )
