"""torch.optim: RMSprop."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.optim.optimizer import Rule


@rule(torch.optim.RMSprop)
class RMSprop(Rule):
    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False,
        foreach=None, maximize=False, differentiable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
        super().__init__(
            params, lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum, centered=centered,
            maximize=maximize,
        )  # fmt: skip

    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        spread = self.moving(state, "square_avg", grad * grad, group["alpha"])
        if group["centered"]:
            spread = spread - oneflow.square(self.moving(state, "grad_avg", grad, group["alpha"]))
        change = grad / (oneflow.sqrt(spread) + group["eps"])
        if group["momentum"]:
            change = state["momentum_buffer"] = state.get("momentum_buffer", 0) * group["momentum"] + change
        return param - group["lr"] * change
