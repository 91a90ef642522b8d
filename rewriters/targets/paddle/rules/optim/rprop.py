"""torch.optim: Rprop."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.Rprop)
def Rprop(params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-06, 50), *, foreach=None, maximize=False):
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.Rprop(learning_rate=lr, learning_rate_range=step_sizes, parameters=params, etas=etas)
