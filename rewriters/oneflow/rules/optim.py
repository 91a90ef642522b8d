"""Optimizers. Arguments that only choose among torch's implementations (foreach, fused, ...) are dropped."""

import oneflow
import torch

from rewriters.rule import alias, refuse, rule, same

alias(torch.optim.Optimizer, "oneflow.optim.Optimizer")
same(
    "torch.optim.Optimizer.step", "torch.optim.Optimizer.zero_grad", "torch.optim.Optimizer.state_dict",
    "torch.optim.Optimizer.load_state_dict", "torch.optim.Optimizer.param_groups",
    "torch.optim.Optimizer.add_param_group",
)  # fmt: skip


@rule(torch.optim.SGD)
def SGD(
    params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None,
    differentiable=False, fused=None,
):  # fmt: skip
    if dampening == 0 and not maximize:
        return oneflow.optim.SGD(params, lr=lr, momentum=momentum, weight_decay=weight_decay, nesterov=nesterov)
    return Momentum(
        params, lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
        maximize=maximize,
    )  # fmt: skip


class Rule(oneflow.optim.Optimizer):
    """An optimizer written in Python: ``update`` changes one parameter by its gradient and its state."""

    def __init__(self, params, **options):
        super().__init__(params, options)

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with oneflow.enable_grad():
                loss = closure()
        with oneflow.no_grad():
            self._state["step"] += 1
            for group in self.param_groups:
                for param in group.parameters:
                    if param.grad is None:
                        continue
                    grad = -param.grad if group["maximize"] else param.grad.clone()
                    state = self._state.setdefault(param, {})
                    state["count"] = state.get("count", 0) + 1
                    param.copy_(self.update(param, grad, state, group, state["count"]))
        return loss

    def decayed(self, param, grad, group):
        return grad + group["weight_decay"] * param if group["weight_decay"] else grad

    def moving(self, state, name, new, beta):
        """An exponential moving average that begins at zero."""
        old = state.get(name)
        state[name] = new * (1 - beta) if old is None else old * beta + new * (1 - beta)
        return state[name]


class Momentum(Rule):
    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        if group["momentum"]:
            old = state.get("momentum_buf")
            new = grad if old is None else old * group["momentum"] + grad * (1 - group["dampening"])
            state["momentum_buf"] = new
            grad = grad + new * group["momentum"] if group["nesterov"] else new
        return param - group["lr"] * grad


@rule(torch.optim.Adam)
def Adam(
    params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False,
    capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False,
):  # fmt: skip
    if maximize:
        raise NotImplementedError("OneFlow's Adam minimizes; negate the loss")
    if decoupled_weight_decay:
        return oneflow.optim.AdamW(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)
    return oneflow.optim.Adam(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)


@rule(torch.optim.AdamW)
def AdamW(
    params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=1e-2, amsgrad=False, *, maximize=False, foreach=None,
    capturable=False, differentiable=False, fused=None,
):  # fmt: skip
    if maximize:
        raise NotImplementedError("OneFlow's AdamW minimizes; negate the loss")
    # OneFlow's default weight decay is 0, torch's 0.01
    return oneflow.optim.AdamW(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)


@rule(torch.optim.RMSprop)
class RMSprop(Rule):
    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False,
        foreach=None, maximize=False, differentiable=False,
    ):  # fmt: skip
        super().__init__(
            params, lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum, centered=centered,
            maximize=maximize,
        )  # fmt: skip

    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        spread = self.moving(state, "square_avg", grad * grad, group["alpha"])
        if group["centered"]:
            mean = self.moving(state, "grad_avg", grad, group["alpha"])
            spread = spread - mean * mean
        change = grad / (oneflow.sqrt(spread) + group["eps"])
        if group["momentum"]:
            old = state.get("momentum_buffer")
            change = state["momentum_buffer"] = change if old is None else old * group["momentum"] + change
        return param - group["lr"] * change


@rule(torch.optim.Adagrad)
class Adagrad(Rule):
    def __init__(
        self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *,
        maximize=False, differentiable=False, fused=None,
    ):  # fmt: skip
        super().__init__(
            params, lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps, maximize=maximize,
            initial_accumulator_value=initial_accumulator_value,
        )  # fmt: skip

    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        state["sum"] = state.get("sum", group["initial_accumulator_value"]) + grad * grad
        rate = group["lr"] / (1 + (count - 1) * group["lr_decay"])
        return param - rate * grad / (oneflow.sqrt(state["sum"]) + group["eps"])


@rule(torch.optim.Adadelta)
def Adadelta(
    params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False,
    differentiable=False,
):  # fmt: skip
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


@rule(torch.optim.Adamax)
class Adamax(Rule):
    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False,
        differentiable=False, capturable=False,
    ):  # fmt: skip
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize)

    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        mean = self.moving(state, "exp_avg", grad, group["betas"][0])
        old = state.get("exp_inf", oneflow.zeros_like(param))
        state["exp_inf"] = oneflow.maximum(old * group["betas"][1], oneflow.abs(grad) + group["eps"])
        return param - group["lr"] / (1 - group["betas"][0] ** count) * mean / state["exp_inf"]


@rule(torch.optim.NAdam)
class NAdam(Rule):
    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
        decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        super().__init__(
            params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
            decoupled=decoupled_weight_decay, maximize=maximize,
        )  # fmt: skip

    def update(self, param, grad, state, group, count):
        if group["decoupled"]:
            param = param * (1 - group["lr"] * group["weight_decay"])
        else:
            grad = self.decayed(param, grad, group)
        first, second = group["betas"]
        mean = self.moving(state, "exp_avg", grad, first)
        squares = self.moving(state, "exp_avg_sq", grad * grad, second)
        now = first * (1 - 0.5 * 0.96 ** (count * group["momentum_decay"]))
        later = first * (1 - 0.5 * 0.96 ** ((count + 1) * group["momentum_decay"]))
        product = state["mu_product"] = state.get("mu_product", 1.0) * now
        root = oneflow.sqrt(squares / (1 - second**count)) + group["eps"]
        ahead = mean * (later / (1 - product * later)) + grad * ((1 - now) / (1 - product))
        return param - group["lr"] * ahead / root


@rule(torch.optim.RAdam)
class RAdam(Rule):
    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False,
    ):  # fmt: skip
        super().__init__(
            params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, decoupled=decoupled_weight_decay,
            maximize=maximize,
        )  # fmt: skip

    def update(self, param, grad, state, group, count):
        if group["decoupled"]:
            param = param * (1 - group["lr"] * group["weight_decay"])
        else:
            grad = self.decayed(param, grad, group)
        first, second = group["betas"]
        mean = self.moving(state, "exp_avg", grad, first) / (1 - first**count)
        squares = self.moving(state, "exp_avg_sq", grad * grad, second)
        limit = 2 / (1 - second) - 1
        length = limit - 2 * count * second**count / (1 - second**count)
        if length > 5:
            factor = (length - 4) * (length - 2) * limit / ((limit - 4) * (limit - 2) * length)
            mean = mean * (factor * (1 - second**count)) ** 0.5 / (oneflow.sqrt(squares) + group["eps"])
        return param - group["lr"] * mean


@rule(torch.optim.Rprop)
class Rprop(Rule):
    def __init__(
        self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None,
        maximize=False, differentiable=False,
    ):  # fmt: skip
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


@rule(torch.optim.ASGD)
class ASGD(Rule):
    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
        differentiable=False, capturable=False,
    ):  # fmt: skip
        super().__init__(params, lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, maximize=maximize)

    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        eta = state.get("eta", group["lr"])
        param = param * (1 - group["lambd"] * eta) - eta * grad
        mu = state.get("mu", 1.0)
        average = state.get("ax", oneflow.zeros_like(param))
        state["ax"] = param.clone() if mu == 1 else average + (param - average) * mu
        state["eta"] = group["lr"] / (1 + group["lambd"] * group["lr"] * count) ** group["alpha"]
        state["mu"] = 1 / max(1, count - group["t0"])
        return param


refuse(
    torch.optim.LBFGS, torch.optim.Adafactor, torch.optim.Muon, torch.optim.SparseAdam,
    "OneFlow 0.9 has no such optimizer; use Adam or AdamW",
)  # fmt: skip
refuse(
    torch.optim.swap_in_optimizer_params_and_state, "the inside of torch's optimizers; use load_state_dict",
)  # fmt: skip
