"""Adam and what is near to it."""

import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.optim.optimizer import Optimizer, dtyped, moving, moving_square


@rule(torch.optim.Adam)
class Adam(Optimizer):
    """Both averages are corrected for their beginning at zero; epsilon is added behind the root."""

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None,
        maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        super().__init__(
            params,
            {
                "lr": lr, "betas": tuple(betas), "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
                "maximize": maximize, "decoupled_weight_decay": decoupled_weight_decay,
            },
        )  # fmt: skip

    def slots(self, param, group):
        names = ["exp_avg", "exp_avg_sq", *(["max_exp_avg_sq"] if group.number("amsgrad") else [])]
        return {"step": jnp.zeros((), jnp.float32), **{name: jnp.zeros_like(param) for name in names}}

    def change(self, param, grad, slots, group):
        grad = self.directed(grad, group)
        param, grad = self.decayed(param, grad, group, group.number("decoupled_weight_decay"))
        first, second = group.number("betas")
        step = slots["step"].astype(jnp.float64) + 1
        mean = moving(slots["exp_avg"], grad, first)
        square = moving_square(slots["exp_avg_sq"], grad, second)
        found = {"step": step, "exp_avg": mean, "exp_avg_sq": square}
        if group.number("amsgrad"):
            square = found["max_exp_avg_sq"] = jnp.maximum(slots["max_exp_avg_sq"], square)
        root = jnp.sqrt(square) / dtyped(jnp.sqrt(1 - second**step), param) + dtyped(group.number("eps"), param)
        return param - dtyped(group.number("lr") / (1 - first**step), param) * (mean / root), found


@rule(torch.optim.AdamW)
class AdamW(Adam):
    """The weights decay by themselves, not through the gradient."""

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False,
        foreach=None, capturable=False, differentiable=False, fused=None,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, decoupled_weight_decay=True)


@rule(torch.optim.NAdam)
class NAdam(Optimizer):
    """Adam with Nesterov's momentum, which grows with the steps."""

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
        decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        super().__init__(
            params,
            {
                "lr": lr, "betas": tuple(betas), "eps": eps, "weight_decay": weight_decay,
                "momentum_decay": momentum_decay, "maximize": maximize,
                "decoupled_weight_decay": decoupled_weight_decay,
            },
        )  # fmt: skip

    def slots(self, param, group):
        numbers = {"step": jnp.zeros((), jnp.float32), "mu_product": jnp.ones((), jnp.float32)}
        return {**numbers, "exp_avg": jnp.zeros_like(param), "exp_avg_sq": jnp.zeros_like(param)}

    def change(self, param, grad, slots, group):
        grad = self.directed(grad, group)
        param, grad = self.decayed(param, grad, group, group.number("decoupled_weight_decay"))
        (first, second), decay, rate = group.number("betas"), group.number("momentum_decay"), group.number("lr")
        step = slots["step"].astype(jnp.float64) + 1
        now, then = (first * (1 - 0.5 * 0.96 ** (at * decay)) for at in (step, step + 1))
        product = slots["mu_product"].astype(jnp.float64) * now
        mean = moving(slots["exp_avg"], grad, first)
        square = moving_square(slots["exp_avg_sq"], grad, second)
        root = jnp.sqrt(square / dtyped(1 - second**step, param)) + dtyped(group.number("eps"), param)
        param = param - dtyped(rate * (1 - now) / (1 - product), param) * (grad / root)
        param = param - dtyped(rate * then / (1 - product * then), param) * (mean / root)
        return param, {"step": step, "mu_product": product, "exp_avg": mean, "exp_avg_sq": square}


@rule(torch.optim.RAdam)
class RAdam(Optimizer):
    """Adam that divides by the second average once that is known well enough."""

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        super().__init__(
            params,
            {
                "lr": lr, "betas": tuple(betas), "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
                "decoupled_weight_decay": decoupled_weight_decay,
            },
        )  # fmt: skip

    def slots(self, param, group):
        zeros = jnp.zeros_like(param)
        return {"step": jnp.zeros((), jnp.float32), "exp_avg": zeros, "exp_avg_sq": zeros}

    def change(self, param, grad, slots, group):
        grad = self.directed(grad, group)
        param, grad = self.decayed(param, grad, group, group.number("decoupled_weight_decay"))
        first, second = group.number("betas")
        step = slots["step"].astype(jnp.float64) + 1
        mean = moving(slots["exp_avg"], grad, first)
        square = moving_square(slots["exp_avg_sq"], grad, second)
        left = 1 - second**step
        most = 2 / (1 - second) - 1
        length = most - 2 * step * second**step / left
        sure = jnp.maximum(length, 5.0)
        rectified = jnp.sqrt((sure - 4) * (sure - 2) * most / ((most - 4) * (most - 2) * sure))
        scaled = dtyped(jnp.sqrt(left), param) / (jnp.sqrt(square) + dtyped(group.number("eps"), param))
        factor = jnp.where(length > 5.0, scaled * dtyped(rectified, param), dtyped(1.0, param))
        param = param - dtyped(group.number("lr"), param) * (mean / dtyped(1 - first**step, param)) * factor
        return param, {"step": step, "exp_avg": mean, "exp_avg_sq": square}


@rule(torch.optim.Adamax)
class Adamax(Optimizer):
    """Adam by the largest gradient in place of the second average."""

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False,
        differentiable=False, capturable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        super().__init__(
            params,
            {"lr": lr, "betas": tuple(betas), "eps": eps, "weight_decay": weight_decay, "maximize": maximize},
        )

    def slots(self, param, group):
        zeros = jnp.zeros_like(param)
        return {"step": jnp.zeros((), jnp.float32), "exp_avg": zeros, "exp_inf": zeros}

    def change(self, param, grad, slots, group):
        param, grad = self.decayed(param, self.directed(grad, group), group)
        first, second = group.number("betas")
        step = slots["step"].astype(jnp.float64) + 1
        mean = moving(slots["exp_avg"], grad, first)
        largest = jnp.maximum(
            dtyped(second, param) * slots["exp_inf"], jnp.abs(grad) + dtyped(group.number("eps"), param)
        )
        param = param - dtyped(group.number("lr") / (1 - first**step), param) * (mean / largest)
        return param, {"step": step, "exp_avg": mean, "exp_inf": largest}
