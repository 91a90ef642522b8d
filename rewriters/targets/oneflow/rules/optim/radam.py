"""torch.optim: RAdam."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.optim.optimizer import Rule


@rule(torch.optim.RAdam)
class RAdam(Rule):
    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
        super().__init__(
            params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, decoupled=decoupled_weight_decay,
            maximize=maximize,
        )  # fmt: skip

    def update(self, param, grad, state, group, count):
        param, grad = self.decoupled(param, grad, group)
        first, second = group["betas"]
        mean = self.moving(state, "exp_avg", grad, first) / (1 - first**count)
        squares = self.moving(state, "exp_avg_sq", grad * grad, second)
        limit = 2 / (1 - second) - 1
        length = limit - 2 * count * second**count / (1 - second**count)
        if length > 5:
            factor = (length - 4) * (length - 2) * limit / ((limit - 4) * (limit - 2) * length)
            mean = mean * (factor * (1 - second**count)) ** 0.5 / (oneflow.sqrt(squares) + group["eps"])
        return param - group["lr"] * mean
