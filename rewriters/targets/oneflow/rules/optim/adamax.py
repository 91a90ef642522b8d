"""torch.optim: Adamax."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.optim.optimizer import Rule


@rule(torch.optim.Adamax)
class Adamax(Rule):
    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False,
        differentiable=False, capturable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize)

    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        mean = self.moving(state, "exp_avg", grad, group["betas"][0])
        old = state.get("exp_inf", oneflow.zeros_like(param))
        state["exp_inf"] = oneflow.maximum(old * group["betas"][1], oneflow.abs(grad) + group["eps"])
        return param - group["lr"] / (1 - group["betas"][0] ** count) * mean / state["exp_inf"]
