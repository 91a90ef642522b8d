"""Adafactor: of a matrix's squared gradients the means of rows and columns are kept."""

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
                "lr": lr,
                "beta2_decay": beta2_decay,
                "eps": eps,
                "d": d,
                "weight_decay": weight_decay,
                "maximize": maximize,
            },
        )

    def slots(self, param, group):
        step = {"step": jnp.zeros((), jnp.float32)}
        if param.ndim > 1:
            rows, columns = jnp.zeros_like(param[..., :1]), jnp.zeros_like(param[..., :1, :])
            return {**step, "row_var": rows, "col_var": columns}
        return {**step, "variance": jnp.zeros_like(param)}

    def change(self, param, grad, slots, group):
        grad, step = self.directed(grad, group), slots["step"].astype(jnp.float64) + 1
        smallest, least = group.number("eps")
        smallest = jnp.finfo(param.dtype).eps if smallest is None else smallest
        weight, lr = step ** group.number("beta2_decay"), group.number("lr")
        rate = jnp.maximum(least, root_mean_square(param)) * jnp.minimum(lr, 1 / jnp.sqrt(step))
        param, _ = self.decayed(param, grad, group, decoupled=True)
        kept = {name: begun + dtyped(weight, begun) * (new - begun) for name, begun, new in squares(grad, slots)}
        if param.ndim > 1:
            scale = jnp.maximum(kept["row_var"].mean(axis=-2, keepdims=True), dtyped(smallest, param))
            estimate = kept["row_var"] @ kept["col_var"] / scale
        else:
            estimate = kept["variance"]
        update = grad / jnp.sqrt(jnp.maximum(estimate, dtyped(smallest**2, param)))
        rate = rate / jnp.maximum(1.0, root_mean_square(update) / group.number("d"))
        return param - dtyped(rate, param) * update, {"step": step, **kept}


def root_mean_square(x):
    return jnp.sqrt(jnp.sum(x * x)).astype(jnp.float64) / x.size**0.5


def squares(grad, slots):
    """(name, what is kept under it, its new value) of the squared gradients."""
    square = grad * grad
    if grad.ndim > 1:
        means = {"row_var": square.mean(axis=-1, keepdims=True), "col_var": square.mean(axis=-2, keepdims=True)}
    else:
        means = {"variance": square}
    return [(name, slots[name], value) for name, value in means.items()]
