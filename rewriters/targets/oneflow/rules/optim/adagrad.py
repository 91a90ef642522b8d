"""torch.optim: Adagrad."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.optim.optimizer import Rule


@rule(torch.optim.Adagrad)
class Adagrad(Rule):
    def __init__(
        self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *,
        maximize=False, differentiable=False, fused=None,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
        super().__init__(
            params, lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps, maximize=maximize,
            initial_accumulator_value=initial_accumulator_value,
        )  # fmt: skip

    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        state["sum"] = state.get("sum", group["initial_accumulator_value"]) + grad * grad
        change = grad / (oneflow.sqrt(state["sum"]) + group["eps"])
        return param - group["lr"] / (1 + (count - 1) * group["lr_decay"]) * change
