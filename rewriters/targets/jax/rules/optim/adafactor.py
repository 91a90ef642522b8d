"""Adafactor: the squares of gradients are kept as a row and a column."""

import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.optim.optimizer import Optimizer, dtyped


@rule(torch.optim.Adafactor)
class Adafactor(Optimizer):
    def __init__(
        self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None,
        maximize=False,
    ):  # fmt: skip
        super().__init__(
            params,
            {
                "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay,
                "maximize": maximize,
            },
        )  # fmt: skip

    def slots(self, param, group):
        begun = {"step": jnp.zeros((), jnp.float32)}
        if param.ndim > 1:
            begun["row_var"] = jnp.zeros_like(param[..., :1])
            begun["col_var"] = jnp.zeros_like(param[..., :1, :])
        else:
            begun["variance"] = jnp.zeros_like(param)
        return begun

    def change(self, param, grad, slots, group):
        grad = self.directed(grad, group)
        first, second = group.number("eps")
        first = jnp.finfo(param.dtype).eps if first is None else first
        step = slots["step"].astype(jnp.float64) + 1
        share = dtyped(step ** group.number("beta2_decay"), param)
        rate = jnp.minimum(group.number("lr"), 1 / jnp.sqrt(step))
        rate = jnp.maximum(second, jnp.sqrt((param * param).sum()) / param.size**0.5) * rate
        param, _ = self.decayed(param, grad, group, decoupled=True)
        square = grad * grad
        if param.ndim > 1:
            row = slots["row_var"] + share * (square.mean(-1, keepdims=True) - slots["row_var"])
            column = slots["col_var"] + share * (square.mean(-2, keepdims=True) - slots["col_var"])
            kept = {"row_var": row, "col_var": column}
            found = (row @ column) / jnp.maximum(row.mean(-2, keepdims=True), dtyped(first, param))
        else:
            found = slots["variance"] + share * (square - slots["variance"])
            kept = {"variance": found}
        found = grad / jnp.sqrt(jnp.maximum(found, dtyped(first * first, param)))
        size = jnp.maximum(1.0, jnp.sqrt((found * found).sum()) / (found.size**0.5 * group.number("d")))
        return param - dtyped(rate / size, param) * found, {"step": step, **kept}
