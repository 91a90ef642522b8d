"""Muon: matrices follow their momentum made orthogonal."""

import math

import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.optim.optimizer import Optimizer, dtyped, moving


def orthogonal(matrix, coefficients, steps, eps):
    """About U @ V.T of a singular value decomposition, in bfloat16 as torch computes it."""
    a, b, c = (dtyped(number, jnp.zeros((), jnp.bfloat16)) for number in coefficients)
    tall = matrix.shape[0] > matrix.shape[1]
    found = matrix.astype(jnp.bfloat16)
    found = found.T if tall else found
    length = jnp.sqrt((found.astype(jnp.float32) ** 2).sum()).astype(jnp.bfloat16)
    found = found / jnp.maximum(length, dtyped(eps, found))
    for _ in range(steps):
        square = found @ found.T
        found = a * found + (b * square + c * (square @ square)) @ found
    return found.T if tall else found


@rule(torch.optim.Muon)
class Muon(Optimizer):
    def __init__(
        self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True,
        ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None,
    ):  # fmt: skip
        super().__init__(
            params,
            {
                "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
                "ns_coefficients": ns_coefficients, "eps": eps, "adjust_lr_fn": adjust_lr_fn,
            },
        )  # fmt: skip
        self.steps = ns_steps
        if any(param.ndim != 2 for group in self.param_groups for param in group["params"]):
            raise ValueError("Muon only supports 2D parameters")

    def slots(self, param, group):
        return {"momentum_buffer": jnp.zeros_like(param)}

    def change(self, param, grad, slots, group):
        momentum, rate = group.number("momentum"), group.number("lr")
        kept = moving(slots["momentum_buffer"], grad, momentum)
        update = grad + dtyped(momentum, grad) * (kept - grad) if group.number("nesterov") else kept
        update = orthogonal(update, group.number("ns_coefficients"), self.steps, group.number("eps"))
        rows, columns = param.shape
        by = math.sqrt(max(1, rows / columns))
        if group.number("adjust_lr_fn") == "match_rms_adamw":
            by = 0.2 * math.sqrt(max(rows, columns))
        param, _ = self.decayed(param, grad, group, decoupled=True)
        return param - dtyped(rate * by, param) * update.astype(param.dtype), {"momentum_buffer": kept}
