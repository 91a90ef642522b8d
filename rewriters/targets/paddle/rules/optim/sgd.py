"""torch.optim: SGD."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.SGD)
def SGD(params, lr=1e-3, *, weight_decay=None, foreach=None, fused=None, differentiable=False):
    if differentiable:
        raise NotImplementedError("Paddle's steps are in no graph; write the update out")
    return paddle.optimizer.SGD(learning_rate=lr, parameters=params, weight_decay=weight_decay)


# Where a schedule cycles the momentum, SGD has one, be it 0 at first.
@rule(torch.optim.SGD, "torch.optim.SGD:cycled")
def SGD(
    params,
    lr=1e-3,
    momentum=0,
    dampening=0,
    weight_decay=None,
    nesterov=False,
    *,
    maximize=False,
    foreach=None,
    differentiable=False,
    fused=None,
):
    if differentiable:
        raise NotImplementedError("Paddle's steps are in no graph; write the update out")
    if dampening != 0:
        raise NotImplementedError("Paddle's Momentum has no dampening; pass dampening=0")
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.Momentum(
        learning_rate=lr, momentum=momentum, parameters=params, use_nesterov=nesterov, weight_decay=weight_decay
    )
