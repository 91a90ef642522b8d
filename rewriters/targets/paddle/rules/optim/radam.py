"""torch.optim: RAdam."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.RAdam)
def RAdam(
    params,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-08,
    weight_decay=None,
    decoupled_weight_decay=False,
    *,
    foreach=None,
    maximize=False,
):
    if maximize or decoupled_weight_decay:
        raise NotImplementedError("Paddle's RAdam minimizes, and adds the decay to the gradient")
    return paddle.optimizer.RAdam(
        learning_rate=lr, beta1=betas[0], beta2=betas[1], epsilon=eps, parameters=params, weight_decay=weight_decay
    )
