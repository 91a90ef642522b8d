"""torch.optim: ASGD."""

import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.optim.optimizer import Rule


@rule(torch.optim.ASGD)
class ASGD(Rule):
    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
        differentiable=False, capturable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
        super().__init__(params, lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, maximize=maximize)

    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        eta, mu = state.get("eta", group["lr"]), state.get("mu", 1.0)
        param = param * (1 - group["lambd"] * eta) - eta * grad
        state["ax"] = param.clone() if mu == 1 else state["ax"] + (param - state["ax"]) * mu
        state["eta"] = group["lr"] / (1 + group["lambd"] * group["lr"] * count) ** group["alpha"]
        state["mu"] = 1 / max(1, count - group["t0"])
        return param
