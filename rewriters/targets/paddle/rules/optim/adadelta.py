"""torch.optim: Adadelta."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.Adadelta)
def Adadelta(params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=None, foreach=None, *, maximize=False):
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.Adadelta(
        learning_rate=lr, epsilon=eps, rho=rho, parameters=params, weight_decay=weight_decay
    )
