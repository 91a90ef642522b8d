"""Optimizers that OneFlow lacks or computes otherwise, after torch's documentation: classes for the helper."""

import math

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.optim.SGD)
def SGD(
    params, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, *, maximize=False, foreach=None,
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
        loss = None if closure is None else oneflow.enable_grad()(closure)()
        with oneflow.no_grad():
            self._state["step"] += 1
            for group in self.param_groups:
                for param in (param for param in group.parameters if param.grad is not None):
                    grad = -param.grad if group["maximize"] else param.grad.clone()
                    state = self._state.setdefault(param, {})
                    state["count"] = state.get("count", 0) + 1
                    param.copy_(self.update(param, grad, state, group, state["count"]))
        return loss

    def load_state_dict(self, state_dict):
        # OneFlow's own fails at numbers among a parameter's state
        super().load_state_dict({**state_dict, "state": {"step": state_dict["state"]["step"]}})
        for index, param in enumerate(param for group in self.param_groups for param in group.parameters):
            state = state_dict["state"].get(index, {})
            self._state[param] = {k: v.to(param.device) if hasattr(v, "to") else v for k, v in state.items()}

    def decayed(self, param, grad, group):
        return grad + group["weight_decay"] * param if group["weight_decay"] else grad

    def decoupled(self, param, grad, group):
        shrunk = param * (1 - group["lr"] * group["weight_decay"])
        return (shrunk, grad) if group["decoupled"] else (param, self.decayed(param, grad, group))

    def moving(self, state, name, new, beta):
        """An exponential moving average that begins at zero."""
        state[name] = state.get(name, 0) * beta + new * (1 - beta)
        return state[name]


class Momentum(Rule):
    def update(self, param, grad, state, group, count):
        grad = self.decayed(param, grad, group)
        if group["momentum"]:
            old, share = state.get("momentum_buf"), 1 - group["dampening"]
            new = state["momentum_buf"] = grad if old is None else old * group["momentum"] + grad * share
            grad = grad + new * group["momentum"] if group["nesterov"] else new
        return param - group["lr"] * grad


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
            spread = spread - oneflow.square(self.moving(state, "grad_avg", grad, group["alpha"]))
        change = grad / (oneflow.sqrt(spread) + group["eps"])
        if group["momentum"]:
            change = state["momentum_buffer"] = state.get("momentum_buffer", 0) * group["momentum"] + change
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
        change = grad / (oneflow.sqrt(state["sum"]) + group["eps"])
        return param - group["lr"] / (1 + (count - 1) * group["lr_decay"]) * change


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
        param, grad = self.decoupled(param, grad, group)
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
        param, grad = self.decoupled(param, grad, group)
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
        eta, mu = state.get("eta", group["lr"]), state.get("mu", 1.0)
        param = param * (1 - group["lambd"] * eta) - eta * grad
        state["ax"] = param.clone() if mu == 1 else state["ax"] + (param - state["ax"]) * mu
        state["eta"] = group["lr"] / (1 + group["lambd"] * group["lr"] * count) ** group["alpha"]
        state["mu"] = 1 / max(1, count - group["t0"])
        return param


@rule(torch.optim.Adafactor)
class Adafactor(Rule):
    """Second moments as an outer product of what rows and columns have."""

    def __init__(
        self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None,
        maximize=False,
    ):  # fmt: skip
        super().__init__(
            params, lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay, maximize=maximize
        )

    def update(self, param, grad, state, group, count):
        size = math.sqrt(param.numel())
        least = oneflow.finfo(param.dtype).eps if group["eps"][0] is None else group["eps"][0]
        rate = min(group["lr"], 1 / math.sqrt(count)) * max(group["eps"][1], param.norm().item() / size)
        kept, squares = 1 - count ** group["beta2_decay"], grad * grad
        if param.ndim > 1:
            rows = self.moving(state, "row_var", squares.mean(-1, keepdim=True), kept)
            columns = self.moving(state, "col_var", squares.mean(-2, keepdim=True), kept)
            squares = oneflow.matmul(rows, columns) / oneflow.clamp(rows.mean(-2, keepdim=True), min=least)
        else:
            squares = self.moving(state, "variance", squares, kept)
        change = grad / oneflow.sqrt(oneflow.clamp(squares, min=least * least))
        clipping = max(1.0, change.norm().item() / (size * group["d"]))
        return param * (1 - group["lr"] * group["weight_decay"]) - change * (rate / clipping)


@rule(torch.optim.Muon)
class Muon(Rule):
    """Momentum made orthogonal by Newton-Schulz iterations in bfloat16; for matrices alone."""

    def __init__(
        self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True,
        ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None,
    ):  # fmt: skip
        super().__init__(
            params, lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, eps=eps, ns_steps=ns_steps,
            ns_coefficients=ns_coefficients, adjust_lr_fn=adjust_lr_fn, maximize=False,
        )  # fmt: skip
        if not all(param.ndim == 2 for group in self.param_groups for param in group.parameters):
            raise ValueError("Muon takes matrices alone; give the other parameters to AdamW")

    def update(self, param, grad, state, group, count):
        change = self.moving(state, "momentum_buffer", grad, group["momentum"])
        if group["nesterov"]:
            change = grad * (1 - group["momentum"]) + change * group["momentum"]
        rows, columns = param.shape
        adam = group["adjust_lr_fn"] == "match_rms_adamw"
        rate = group["lr"] * math.sqrt(0.04 * max(rows, columns) if adam else max(1, rows / columns))
        return param * (1 - group["lr"] * group["weight_decay"]) - rate * self.orthogonal(change, group)

    def orthogonal(self, matrix, group):
        """The nearest orthogonal matrix, roughly."""

        def rounded(value):  # to bfloat16; OneFlow multiplies no matrices of it on CPUs
            return value.to(oneflow.bfloat16).to(oneflow.float32)

        a, b, c = group["ns_coefficients"]
        tall = matrix.shape[0] > matrix.shape[1]
        x = rounded(matrix.transpose(0, 1) if tall else matrix)
        x = rounded(x / oneflow.clamp(rounded(x.norm()), min=group["eps"]))
        for _ in range(group["ns_steps"]):
            gram = rounded(oneflow.matmul(x, x.transpose(0, 1)))
            x = rounded(a * x + oneflow.matmul(rounded(b * gram + c * oneflow.matmul(gram, gram)), x))
        return x.transpose(0, 1) if tall else x
