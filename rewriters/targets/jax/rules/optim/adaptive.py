"""Optimizers that divide by what the gradients have been."""

import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.optim.optimizer import Optimizer, dtyped, moving, moving_square


@rule(torch.optim.Adagrad)
class Adagrad(Optimizer):
    def __init__(
        self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *,
        maximize=False, differentiable=False, fused=None,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        super().__init__(
            params,
            {
                "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value, "maximize": maximize,
            },
        )  # fmt: skip

    def slots(self, param, group):
        begun = jnp.zeros_like(param) + dtyped(group.number("initial_accumulator_value"), param)
        return {"step": jnp.zeros((), jnp.float32), "sum": begun}

    def change(self, param, grad, slots, group):
        param, grad = self.decayed(param, self.directed(grad, group), group)
        step = slots["step"].astype(jnp.float64) + 1
        total = slots["sum"] + grad * grad
        rate = group.number("lr") / (1 + (step - 1) * group.number("lr_decay"))
        param = param - dtyped(rate, param) * (grad / (jnp.sqrt(total) + dtyped(group.number("eps"), param)))
        return param, {"step": step, "sum": total}


@rule(torch.optim.Adadelta)
class Adadelta(Optimizer):
    def __init__(
        self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False,
        differentiable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})

    def slots(self, param, group):
        zeros = jnp.zeros_like(param)
        return {"step": jnp.zeros((), jnp.float32), "square_avg": zeros, "acc_delta": zeros}

    def change(self, param, grad, slots, group):
        param, grad = self.decayed(param, self.directed(grad, group), group)
        rho, eps = group.number("rho"), dtyped(group.number("eps"), param)
        square = moving_square(slots["square_avg"], grad, rho)
        delta = jnp.sqrt(slots["acc_delta"] + eps) / jnp.sqrt(square + eps) * grad
        param = param - dtyped(group.number("lr"), param) * delta
        changes = moving_square(slots["acc_delta"], delta, rho)
        return param, {"step": slots["step"] + 1, "square_avg": square, "acc_delta": changes}


@rule(torch.optim.RMSprop)
class RMSprop(Optimizer):
    """Epsilon is added behind the root."""

    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False,
        foreach=None, maximize=False, differentiable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
                "weight_decay": weight_decay, "maximize": maximize,
            },
        )  # fmt: skip

    def slots(self, param, group):
        names = ["square_avg"]
        names += [] if group.is_zero("momentum") else ["momentum_buffer"]
        names += ["grad_avg"] if group.number("centered") else []
        return {"step": jnp.zeros((), jnp.float32), **{name: jnp.zeros_like(param) for name in names}}

    def change(self, param, grad, slots, group):
        param, grad = self.decayed(param, self.directed(grad, group), group)
        alpha, rate = group.number("alpha"), dtyped(group.number("lr"), param)
        square = moving_square(slots["square_avg"], grad, alpha)
        found = {"step": slots["step"] + 1, "square_avg": square}
        if "grad_avg" in slots:
            found["grad_avg"] = moving(slots["grad_avg"], grad, alpha)
            square = square - found["grad_avg"] * found["grad_avg"]
        step = grad / (jnp.sqrt(square) + dtyped(group.number("eps"), param))
        if "momentum_buffer" in slots:
            step = found["momentum_buffer"] = dtyped(group.number("momentum"), param) * slots["momentum_buffer"] + step
        return param - rate * step, found


@rule(torch.optim.Rprop)
class Rprop(Optimizer):
    """Steps by the signs of gradients alone."""

    def __init__(
        self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None,
        maximize=False, differentiable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        sizes = tuple(float(size) for size in step_sizes)
        super().__init__(params, {"lr": lr, "etas": tuple(etas), "step_sizes": sizes, "maximize": maximize})

    def slots(self, param, group):
        sizes = jnp.zeros_like(param) + dtyped(group.number("lr"), param)
        return {"step": jnp.zeros((), jnp.float32), "prev": jnp.zeros_like(param), "step_size": sizes}

    def change(self, param, grad, slots, group):
        grad = self.directed(grad, group)
        (fewer, more), (least, most) = group.number("etas"), group.number("step_sizes")
        agree = jnp.sign(grad * slots["prev"])
        factor = jnp.where(
            agree > 0, dtyped(more, param), jnp.where(agree < 0, dtyped(fewer, param), dtyped(1.0, param))
        )
        size = jnp.clip(slots["step_size"] * factor, dtyped(least, param), dtyped(most, param))
        grad = jnp.where(agree < 0, jnp.zeros_like(grad), grad)
        param = param - jnp.sign(grad) * size
        return param, {"step": slots["step"] + 1, "prev": grad, "step_size": size}


@rule(torch.optim.ASGD)
class ASGD(Optimizer):
    """Averaged stochastic gradient descent."""

    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
        differentiable=False, capturable=False,
    ):  # fmt: skip
        if differentiable:
            raise NotImplementedError("JAX's steps are in no graph; write the update out")
        super().__init__(
            params,
            {
                "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay,
                "maximize": maximize,
            },
        )  # fmt: skip

    def slots(self, param, group):
        rate = jnp.asarray(group.number("lr"), jnp.float32)
        return {"step": jnp.zeros((), jnp.float32), "eta": rate, "mu": jnp.ones((), jnp.float32),
                "ax": jnp.zeros_like(param)}  # fmt: skip

    def change(self, param, grad, slots, group):
        param, grad = self.decayed(param, self.directed(grad, group), group)
        step = slots["step"].astype(jnp.float64) + 1
        lambd, rate, eta = group.number("lambd"), group.number("lr"), slots["eta"].astype(jnp.float64)
        param = param * dtyped(1 - lambd * eta, param) - dtyped(eta, param) * grad
        mean = jnp.where(slots["mu"] == 1, param, slots["ax"] + (param - slots["ax"]) * dtyped(slots["mu"], param))
        eta = rate / (1 + lambd * rate * step) ** group.number("alpha")
        weight = 1 / jnp.maximum(1, step - group.number("t0"))
        return param, {"step": step, "eta": eta, "mu": weight, "ax": mean}
