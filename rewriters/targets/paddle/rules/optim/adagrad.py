"""torch.optim: Adagrad."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.Adagrad)
def Adagrad(
    params,
    lr=1e-2,
    lr_decay=0,
    weight_decay=None,
    initial_accumulator_value=0,
    eps=1e-10,
    foreach=None,
    *,
    maximize=False,
    fused=None,
):
    if lr_decay != 0:
        raise NotImplementedError("Paddle's Adagrad has no lr_decay; use paddle.optimizer.lr.InverseTimeDecay")
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.Adagrad(
        learning_rate=lr,
        epsilon=eps,
        parameters=params,
        weight_decay=weight_decay,
        initial_accumulator_value=initial_accumulator_value,
    )
