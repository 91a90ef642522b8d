"""torch.optim: Rprop."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.optim.optimizer import Rule


@rule(torch.optim.Rprop)
class Rprop(Rule):
    def __init__(
        self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None,
        maximize=False, differentiable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("OneFlow's steps are in no graph; write the update out")
        super().__init__(params, lr=lr, etas=etas, step_sizes=step_sizes, maximize=maximize)

    def update(self, param, grad, state, group, count):
        size = state.get("step_size", oneflow.full_like(param, float(group["lr"])))
        agreed = grad * state.get("prev", oneflow.zeros_like(param))
        same = oneflow.ones_like(param)
        smaller = oneflow.where(agreed < 0, same * group["etas"][0], same)
        factor = oneflow.where(agreed > 0, same * group["etas"][1], smaller)
        state["step_size"] = oneflow.clamp(size * factor, *group["step_sizes"])
        state["prev"] = oneflow.masked_fill(grad, agreed < 0, 0.0)
        return param - oneflow.sign(state["prev"]) * state["step_size"]
