"""Optimizers. Arguments that only choose among torch's implementations (foreach, fused, ...) are dropped."""

import paddle
import torch

from rewriters.rule import alias, rule, same

alias(torch.optim.Optimizer, "paddle.optimizer.Optimizer")
same("torch.optim.Optimizer.state_dict")


@rule(torch.optim.SGD)
def SGD(params, lr=1e-3, *, weight_decay=None, foreach=None, fused=None, differentiable=False):
    return paddle.optimizer.SGD(learning_rate=lr, parameters=params, weight_decay=weight_decay)


# Where a schedule cycles the momentum, SGD has one, be it 0 at first.
@rule(torch.optim.SGD, "torch.optim.SGD:cycled")
def SGD(  # noqa: F811
    params,
    lr=1e-3,
    momentum=0,
    dampening=0,
    weight_decay=None,
    nesterov=False,
    *,
    maximize=False,
    foreach=None,
    differentiable=False,
    fused=None,
):
    if dampening != 0:
        raise NotImplementedError("Paddle's Momentum has no dampening; pass dampening=0")
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.Momentum(
        learning_rate=lr, momentum=momentum, parameters=params, use_nesterov=nesterov, weight_decay=weight_decay
    )


@rule(torch.optim.Adam)
def Adam(
    params,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-08,
    weight_decay=None,
    amsgrad=False,
    *,
    foreach=None,
    maximize=False,
    capturable=False,
    differentiable=False,
    fused=None,
    decoupled_weight_decay=False,
):
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    if decoupled_weight_decay:
        return paddle.optimizer.AdamW(
            learning_rate=lr,
            beta1=betas[0],
            beta2=betas[1],
            epsilon=eps,
            parameters=params,
            weight_decay=weight_decay,
            amsgrad=amsgrad,
        )
    return paddle.optimizer.Adam(
        learning_rate=lr,
        beta1=betas[0],
        beta2=betas[1],
        epsilon=eps,
        parameters=params,
        weight_decay=weight_decay,
        amsgrad=amsgrad,
    )


@rule(torch.optim.AdamW)
def AdamW(
    params,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-08,
    weight_decay=1e-2,
    amsgrad=False,
    *,
    maximize=False,
    foreach=None,
    capturable=False,
    differentiable=False,
    fused=None,
):
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.AdamW(
        learning_rate=lr,
        beta1=betas[0],
        beta2=betas[1],
        epsilon=eps,
        parameters=params,
        weight_decay=weight_decay,
        amsgrad=amsgrad,
    )


@rule(torch.optim.NAdam)
def NAdam(
    params,
    lr=2e-3,
    betas=(0.9, 0.999),
    eps=1e-08,
    weight_decay=None,
    momentum_decay=4e-3,
    decoupled_weight_decay=False,
    *,
    foreach=None,
    maximize=False,
):
    if maximize or decoupled_weight_decay:
        raise NotImplementedError("Paddle's NAdam minimizes, and adds the decay to the gradient")
    return paddle.optimizer.NAdam(
        learning_rate=lr,
        beta1=betas[0],
        beta2=betas[1],
        epsilon=eps,
        momentum_decay=momentum_decay,
        parameters=params,
        weight_decay=weight_decay,
    )


@rule(torch.optim.RAdam)
def RAdam(
    params,
    lr=1e-3,
    betas=(0.9, 0.999),
    eps=1e-08,
    weight_decay=None,
    decoupled_weight_decay=False,
    *,
    foreach=None,
    maximize=False,
):
    if maximize or decoupled_weight_decay:
        raise NotImplementedError("Paddle's RAdam minimizes, and adds the decay to the gradient")
    return paddle.optimizer.RAdam(
        learning_rate=lr, beta1=betas[0], beta2=betas[1], epsilon=eps, parameters=params, weight_decay=weight_decay
    )


@rule(torch.optim.Adagrad)
def Adagrad(
    params,
    lr=1e-2,
    lr_decay=0,
    weight_decay=None,
    initial_accumulator_value=0,
    eps=1e-10,
    foreach=None,
    *,
    maximize=False,
    fused=None,
):
    if lr_decay != 0:
        raise NotImplementedError("Paddle's Adagrad has no lr_decay; use paddle.optimizer.lr.InverseTimeDecay")
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.Adagrad(
        learning_rate=lr,
        epsilon=eps,
        parameters=params,
        weight_decay=weight_decay,
        initial_accumulator_value=initial_accumulator_value,
    )


@rule(torch.optim.Adadelta)
def Adadelta(params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=None, foreach=None, *, maximize=False):
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.Adadelta(
        learning_rate=lr, epsilon=eps, rho=rho, parameters=params, weight_decay=weight_decay
    )


@rule(torch.optim.Rprop)
def Rprop(params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-06, 50), *, foreach=None, maximize=False):
    if maximize:
        raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
    return paddle.optimizer.Rprop(learning_rate=lr, learning_rate_range=step_sizes, parameters=params, etas=etas)


@rule(torch.optim.LBFGS)
def LBFGS(
    params,
    lr=1,
    max_iter=20,
    max_eval=None,
    tolerance_grad=1e-7,
    tolerance_change=1e-9,
    history_size=100,
    line_search_fn=None,
):
    return paddle.optimizer.LBFGS(
        learning_rate=lr,
        max_iter=max_iter,
        max_eval=max_eval,
        tolerance_grad=tolerance_grad,
        tolerance_change=tolerance_change,
        history_size=history_size,
        line_search_fn=line_search_fn,
        parameters=params,
    )
