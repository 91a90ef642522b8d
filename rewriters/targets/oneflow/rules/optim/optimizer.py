"""Optimizers. Arguments that only choose among torch's implementations (foreach, fused, ...) are dropped."""

import math

import oneflow
import torch

from rewriters.rule import alias, note, rule, same
from rewriters.targets.oneflow.rules.optim.groups import listed

alias(torch.optim.Optimizer, "oneflow.optim.Optimizer")


same(
    "torch.optim.Optimizer.state_dict",
    "torch.optim.Optimizer.load_state_dict", "torch.optim.Optimizer.param_groups",
    "torch.optim.Optimizer.add_param_group",
)  # fmt: skip


note(
    torch.optim.Optimizer.load_state_dict,
    "two of torch's optimizers that are given one state, or another's, share its tensors from then on; here each has "
    "its own",
)


@rule(torch.optim.Optimizer.zero_grad)
def zero_grad(self, set_to_none=True):
    # OneFlow's default leaves zeros, by which momentum and decay go on moving what the loss does not use
    return self.zero_grad(set_to_none=set_to_none)


@rule(torch.optim.Optimizer.step)
def step(self, closure=None):
    if closure is None:
        return self.step()
    # OneFlow's own optimizers call it where no gradients are recorded
    return self.step(oneflow.enable_grad()(closure))


class Rule(oneflow.optim.Optimizer):
    """An optimizer written in Python: ``update`` changes one parameter by its gradient and its state."""

    def __init__(self, params, **options):
        super().__init__(listed(params), options)

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
