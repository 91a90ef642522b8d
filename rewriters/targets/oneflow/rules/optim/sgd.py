"""torch.optim: SGD."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.optim.optimizer import Rule


@rule(torch.optim.SGD)
def SGD(
    params, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, *, maximize=False, foreach=None,
    differentiable=False, fused=None,
):  # fmt: skip
    if differentiable:
        raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
    if dampening == 0 and not maximize:
        return oneflow.optim.SGD(params, lr=lr, momentum=momentum, weight_decay=weight_decay, nesterov=nesterov)
    return Momentum(
        params, lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
        maximize=maximize,
    )  # fmt: skip


class Momentum(Rule):
    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        if group["momentum"]:
            old, share = state.get("momentum_buf"), 1 - group["dampening"]
            new = state["momentum_buf"] = grad if old is None else old * group["momentum"] + grad * share
            grad = grad + new * group["momentum"] if group["nesterov"] else new
        return param - group["lr"] * grad
