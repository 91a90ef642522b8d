"""torch's own optimizers where a program looks into them: groups, ``state`` and ``defaults`` are torch's.

Paddle's keep theirs under other names, and know fewer options. Chosen by passes/optimizers.py.
"""

import math

import paddle

from rewriters.rule import rule
from rewriters.targets.paddle.rules.optim.own import OwnOptimizer


class TorchsOptimizer(OwnOptimizer):
    """Goes over the parameters that have a gradient; what becomes of each is said by ``_moved``.

    Half precision is computed in float32: Paddle has few functions of it on CPUs.
    """

    def __init__(self, params, defaults):
        for name in ("lr", "eps", "weight_decay", "momentum"):
            if float(defaults.get(name, 0)) < 0:
                raise ValueError(f"Invalid {name} value: {defaults[name]}")
        for index, beta in enumerate(defaults.get("betas", ())):
            if not 0.0 <= float(beta) < 1.0:
                raise ValueError(f"Invalid beta parameter at index {index}: {beta}")
        if defaults.get("differentiable", False):
            raise NotImplementedError("gradients do not go through a step in Paddle: leave differentiable at False")
        super().__init__(params, defaults)

    @paddle.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with paddle.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._change(parameter, group)
        return loss

    def _change(self, parameter, group):
        value, gradient = wide(parameter.detach()), wide(parameter.grad)
        gradient = -gradient if group["maximize"] else gradient
        if group["weight_decay"] != 0:
            decay = float(group["weight_decay"])
            if group.get("decoupled_weight_decay", False):
                value = value * (1 - float(group["lr"]) * decay)
            else:
                gradient = gradient + decay * value
        keep(parameter, self._moved(value, gradient, parameter, group))

    def _moved(self, value, gradient, parameter, group):
        raise NotImplementedError

    def _counted(self, parameter, *names):
        """(a parameter's state, with zeros under names that it lacks; the number of this step)"""
        state = self.state[parameter]
        if "step" not in state:
            state["step"] = paddle.zeros([])
        for name in names:
            if name not in state:
                state[name] = paddle.zeros_like(parameter).detach()
        count = int(state["step"].item()) + 1
        state["step"].fill_(count)
        return state, count


def wide(tensor):
    """In float32, where it is in half precision."""
    return tensor.astype("float32") if tensor.dtype in (paddle.float16, paddle.bfloat16) else tensor


def keep(tensor, value):
    paddle.assign(value.astype(tensor.dtype), tensor)
    return value


def blend(tensor, value, share):
    """A running mean, kept; what is new has a share of it."""
    return keep(tensor, wide(tensor) * (1 - share) + value * share)


def two_means(state, gradient, betas):
    """Adam's: of gradients and of their squares."""
    mean = blend(state["exp_avg"], gradient, 1 - float(betas[0]))
    return mean, blend(state["exp_avg_sq"], gradient * gradient, 1 - float(betas[1]))


@rule("torch.optim.SGD:looked into")
class SGD(TorchsOptimizer):
    def __init__(
        self,
        params,
        lr=1e-3,
        momentum=0,
        dampening=0,
        weight_decay=0,
        nesterov=False,
        *,
        maximize=False,
        foreach=None,
        differentiable=False,
        fused=None,
    ):
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        options = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
        options.update(nesterov=nesterov, maximize=maximize, foreach=foreach)
        super().__init__(params, {**options, "differentiable": differentiable, "fused": fused})

    def _moved(self, value, gradient, parameter, group):
        momentum = group["momentum"]
        if momentum != 0:
            state = self.state[parameter]
            if state.get("momentum_buffer") is None:
                state["momentum_buffer"] = gradient.astype(parameter.dtype).clone()
                buffer = gradient
            else:
                buffer = wide(state["momentum_buffer"]) * momentum + gradient * (1 - group["dampening"])
                keep(state["momentum_buffer"], buffer)
            gradient = gradient + momentum * buffer if group["nesterov"] else buffer
        return value - float(group["lr"]) * gradient


@rule("torch.optim.Adam:looked into")
class Adam(TorchsOptimizer):
    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
        decoupled_weight_decay=False,
    ):
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad}
        options.update(maximize=maximize, foreach=foreach, capturable=capturable, differentiable=differentiable)
        super().__init__(params, {**options, "fused": fused, "decoupled_weight_decay": decoupled_weight_decay})

    def _moved(self, value, gradient, parameter, group):
        greatest = ["max_exp_avg_sq"] if group["amsgrad"] else []
        state, count = self._counted(parameter, "exp_avg", "exp_avg_sq", *greatest)
        mean, square = two_means(state, gradient, group["betas"])
        if group["amsgrad"]:
            square = keep(state["max_exp_avg_sq"], paddle.maximum(wide(state["max_exp_avg_sq"]), square))
        beta1, beta2 = map(float, group["betas"])
        divisor = square.sqrt() / math.sqrt(1 - beta2**count) + group["eps"]
        return value - float(group["lr"]) / (1 - beta1**count) * mean / divisor


@rule("torch.optim.AdamW:looked into")
class AdamW(Adam):
    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=1e-2,
        amsgrad=False,
        *,
        maximize=False,
        foreach=None,
        capturable=False,
        differentiable=False,
        fused=None,
    ):
        options = {"foreach": foreach, "maximize": maximize, "capturable": capturable, "differentiable": differentiable}
        options.update(fused=fused, decoupled_weight_decay=True)
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options)

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


@rule("torch.optim.NAdam:looked into")
class NAdam(TorchsOptimizer):
    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        momentum_decay=4e-3,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay}
        options.update(decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach)
        super().__init__(params, {**options, "capturable": capturable, "differentiable": differentiable})

    def _moved(self, value, gradient, parameter, group):
        if "mu_product" not in self.state[parameter]:
            self.state[parameter].update(step=paddle.zeros([]), mu_product=paddle.ones([]))
        state, count = self._counted(parameter, "exp_avg", "exp_avg_sq")
        mean, square = two_means(state, gradient, group["betas"])
        (beta1, beta2), rate, decay = map(float, group["betas"]), float(group["lr"]), group["momentum_decay"]
        now, following = (beta1 * (1 - 0.5 * 0.96 ** (number * decay)) for number in (count, count + 1))
        product = wide(state["mu_product"]).item() * now
        state["mu_product"].fill_(product)
        divisor = (square / (1 - beta2**count)).sqrt() + group["eps"]
        value = value - rate * (1 - now) / (1 - product) * gradient / divisor
        return value - rate * following / (1 - product * following) * mean / divisor


@rule("torch.optim.RAdam:looked into")
class RAdam(TorchsOptimizer):
    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        options.update(foreach=foreach, capturable=capturable, decoupled_weight_decay=decoupled_weight_decay)
        super().__init__(params, {**options, "differentiable": differentiable})

    def _moved(self, value, gradient, parameter, group):
        state, count = self._counted(parameter, "exp_avg", "exp_avg_sq")
        mean, square = two_means(state, gradient, group["betas"])
        beta1, beta2 = map(float, group["betas"])
        left = 1 - beta2**count
        move = mean * (float(group["lr"]) / (1 - beta1**count))
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * count * beta2**count / left
        if length <= 5:
            return value - move
        shares = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
        return value - move * math.sqrt(shares) * math.sqrt(left) / (square.sqrt() + group["eps"])


@rule("torch.optim.Adamax:looked into")
class Adamax(TorchsOptimizer):
    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach}
        options.update(maximize=maximize, differentiable=differentiable, capturable=capturable)
        super().__init__(params, options)

    def _moved(self, value, gradient, parameter, group):
        state, count = self._counted(parameter, "exp_avg", "exp_inf")
        beta1, beta2 = map(float, group["betas"])
        mean = blend(state["exp_avg"], gradient, 1 - beta1)
        greatest = paddle.maximum(wide(state["exp_inf"]) * beta2, gradient.abs() + group["eps"])
        keep(state["exp_inf"], greatest)
        return value - float(group["lr"]) / (1 - beta1**count) * mean / greatest


@rule("torch.optim.Adadelta:looked into")
class Adadelta(TorchsOptimizer):
    def __init__(
        self,
        params,
        lr=1.0,
        rho=0.9,
        eps=1e-6,
        weight_decay=0,
        foreach=None,
        *,
        capturable=False,
        maximize=False,
        differentiable=False,
    ):
        options = {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        options.update(capturable=capturable, foreach=foreach, differentiable=differentiable)
        super().__init__(params, options)

    def _moved(self, value, gradient, parameter, group):
        state, _ = self._counted(parameter, "square_avg", "acc_delta")
        share, eps = 1 - group["rho"], group["eps"]
        square = blend(state["square_avg"], gradient * gradient, share)
        move = ((wide(state["acc_delta"]) + eps).sqrt() / (square + eps).sqrt()) * gradient
        blend(state["acc_delta"], move * move, share)
        return value - float(group["lr"]) * move


@rule("torch.optim.Adagrad:looked into")
class Adagrad(TorchsOptimizer):
    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0,
        weight_decay=0,
        initial_accumulator_value=0,
        eps=1e-10,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        fused=None,
    ):
        options = {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay}
        options.update(initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize)
        super().__init__(params, {**options, "differentiable": differentiable, "fused": fused})

    def _moved(self, value, gradient, parameter, group):
        if "sum" not in self.state[parameter]:
            first = group["initial_accumulator_value"]
            total = paddle.full_like(parameter, first).detach()
            self.state[parameter].update(step=paddle.zeros([]), sum=total)
        state, count = self._counted(parameter)
        total = keep(state["sum"], wide(state["sum"]) + gradient * gradient)
        rate = float(group["lr"]) / (1 + (count - 1) * group["lr_decay"])
        return value - rate * gradient / (total.sqrt() + group["eps"])


@rule("torch.optim.RMSprop:looked into")
class RMSprop(TorchsOptimizer):
    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0,
        momentum=0,
        centered=False,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        options = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered}
        options.update(weight_decay=weight_decay, capturable=capturable, foreach=foreach, maximize=maximize)
        super().__init__(params, {**options, "differentiable": differentiable})

    def _moved(self, value, gradient, parameter, group):
        more = ["momentum_buffer"] * (group["momentum"] > 0) + ["grad_avg"] * group["centered"]
        state, _ = self._counted(parameter, "square_avg", *more)
        square = blend(state["square_avg"], gradient * gradient, 1 - group["alpha"])
        if group["centered"]:
            mean = blend(state["grad_avg"], gradient, 1 - group["alpha"])
            square = square - mean * mean
        move = gradient / (square.sqrt() + group["eps"])
        if group["momentum"] > 0:
            move = keep(state["momentum_buffer"], wide(state["momentum_buffer"]) * group["momentum"] + move)
        return value - float(group["lr"]) * move
