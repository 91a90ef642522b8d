"""Stochastic gradient descent."""

import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.optim.optimizer import Optimizer, dtyped


@rule(torch.optim.SGD)
class SGD(Optimizer):
    """The first step takes the gradient itself into the buffer, without dampening."""

    def __init__(
        self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None,
        differentiable=False, fused=None,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                "nesterov": nesterov, "maximize": maximize,
            },
        )  # fmt: skip

    def slots(self, param, group):
        if group.is_zero("momentum"):
            return {}
        return {"momentum_buffer": jnp.zeros_like(param), "step": jnp.zeros((), jnp.int32)}

    def change(self, param, grad, slots, group):
        param, grad = self.decayed(param, self.directed(grad, group), group)
        if "momentum_buffer" in slots:
            momentum, rest = dtyped(group.number("momentum"), param), dtyped(1 - group.number("dampening"), param)
            first = slots["step"] == 0
            buffer = jnp.where(first, grad, momentum * slots["momentum_buffer"] + rest * grad)
            slots = {"momentum_buffer": buffer, "step": slots["step"] + 1}
            grad = grad + momentum * buffer if group.number("nesterov") else buffer
        return param - dtyped(group.number("lr"), param) * grad, slots
