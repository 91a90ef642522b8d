"""torch.optim: NAdam."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.NAdam)
def NAdam(
    params,
    lr=2e-3,
    betas=(0.9, 0.999),
    eps=1e-08,
    weight_decay=None,
    momentum_decay=4e-3,
    decoupled_weight_decay=False,
    *,
    foreach=None,
    maximize=False,
):
    if maximize or decoupled_weight_decay:
        raise NotImplementedError("Paddle's NAdam minimizes, and adds the decay to the gradient")
    return paddle.optimizer.NAdam(
        learning_rate=lr,
        beta1=betas[0],
        beta2=betas[1],
        epsilon=eps,
        momentum_decay=momentum_decay,
        parameters=params,
        weight_decay=weight_decay,
    )
