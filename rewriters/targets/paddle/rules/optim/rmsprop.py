"""RMSprop, alone and of groups."""

import paddle
import torch

from rewriters.rule import note, rule
from rewriters.targets.paddle.rules.optim.groups import parameter_groups


class TorchRMSprop(paddle.optimizer.RMSProp):
    """Adds epsilon to the root, as torch does; the rate is not in the momentum."""

    def _append_optimize_op(self, block, param_and_grad):
        if isinstance(param_and_grad, dict):
            param_and_grad = self._update_param_group(param_and_grad)
        parameter, gradient = param_and_grad
        names = (self._mean_square_acc_str, self._mean_grad_acc_str, self._momentum_acc_str)
        square, mean, held = (self._get_accumulator_master(name, parameter) for name in names)
        paddle.assign(self._rho * square + (1 - self._rho) * gradient * gradient, square)
        spread = square
        if self._centered:
            paddle.assign(self._rho * mean + (1 - self._rho) * gradient, mean)
            spread = square - mean * mean
        change = gradient / (spread.sqrt() + self._epsilon)
        if self._momentum > 0:
            paddle.assign(self._momentum * held + change, held)
            change = held
        parameter.set_value(parameter - self._create_param_lr(param_and_grad) * change)


note(
    torch.optim.RMSprop,
    "Paddle adds epsilon below the root: where gradients are as small as 1e-7, steps are up to 1.4 times torch's",
)


@rule(torch.optim.RMSprop)
def RMSprop(
    params,
    lr=1e-2,
    alpha=0.99,
    eps=1e-08,
    weight_decay=None,
    momentum=0,
    centered=False,
    capturable=False,
    foreach=None,
    maximize=False,
):
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    if eps > 1e-8 or momentum != 0:
        return TorchRMSprop(lr, alpha, eps, momentum, centered, parameters=params, weight_decay=weight_decay)
    return paddle.optimizer.RMSProp(
        learning_rate=lr, rho=alpha, epsilon=eps**2, centered=centered, parameters=params, weight_decay=weight_decay
    )


@rule("torch.optim.RMSprop:groups")
def RMSprop_of_groups(
    params, lr=1e-2, alpha=0.99, eps=1e-08, weight_decay=0, momentum=0, centered=False, *, foreach=None
):
    groups, rate = parameter_groups(params, lr)
    return TorchRMSprop(rate, alpha, eps, momentum, centered, parameters=groups, weight_decay=float(weight_decay))
