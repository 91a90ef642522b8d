"""torch.optim: NAdam."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.optim.optimizer import Rule


@rule(torch.optim.NAdam)
class NAdam(Rule):
    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
        decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
        super().__init__(
            params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
            decoupled=decoupled_weight_decay, maximize=maximize,
        )  # fmt: skip

    def update(self, param, grad, state, group, count):
        param, grad = self.decoupled(param, grad, group)
        first, second = group["betas"]
        mean = self.moving(state, "exp_avg", grad, first)
        squares = self.moving(state, "exp_avg_sq", grad * grad, second)
        now = first * (1 - 0.5 * 0.96 ** (count * group["momentum_decay"]))
        later = first * (1 - 0.5 * 0.96 ** ((count + 1) * group["momentum_decay"]))
        product = state["mu_product"] = state.get("mu_product", 1.0) * now
        root = oneflow.sqrt(squares / (1 - second**count)) + group["eps"]
        ahead = mean * (later / (1 - product * later)) + grad * ((1 - now) / (1 - product))
        return param - group["lr"] * ahead / root
