"""Adamax, whose epsilon is not torch's."""

import paddle
import torch

from rewriters.rule import note, rule

note(
    torch.optim.Adamax,
    "Paddle adds epsilon to the norm before, torch to the gradient: where gradients are as small as 1e-6, steps differ",
)


@rule(torch.optim.Adamax)
def Adamax(params, lr=2e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=None, foreach=None, *, maximize=False):
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.Adamax(
        learning_rate=lr, beta1=betas[0], beta2=betas[1], epsilon=eps, parameters=params, weight_decay=weight_decay
    )
