"""torch.optim: Adadelta."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.optim.optimizer import Rule


@rule(torch.optim.Adadelta)
def Adadelta(
    params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False,
    differentiable=False,
):  # fmt: skip
    if differentiable:
        raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
    if maximize:
        return AscendingAdadelta(params, lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=True)
    return oneflow.optim.Adadelta(params, lr=lr, rho=rho, eps=eps, weight_decay=weight_decay)


class AscendingAdadelta(Rule):
    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        squares = self.moving(state, "square_avg", grad * grad, group["rho"])
        before = state.get("acc_delta", oneflow.zeros_like(param))
        change = grad * oneflow.sqrt(before + group["eps"]) / oneflow.sqrt(squares + group["eps"])
        self.moving(state, "acc_delta", change * change, group["rho"])
        return param - group["lr"] * change
