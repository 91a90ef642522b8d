"""Optimizers, schedules, gradient clipping."""

import paddle
import torch

from rewriters.rule import alias, rule, same

alias(torch.optim.Optimizer, "paddle.optimizer.Optimizer")
alias(torch.optim.lr_scheduler.LRScheduler, "paddle.optimizer.lr.LRScheduler")
same("torch.optim.Optimizer.step", "torch.optim.Optimizer.state_dict", "torch.nn.utils.clip_grad_norm_")
same("torch.optim.lr_scheduler.LRScheduler.step", "torch.optim.lr_scheduler.LRScheduler.state_dict")


@rule(torch.optim.SGD)
def SGD(params, lr=1e-3, *, weight_decay=0):
    return paddle.optimizer.SGD(learning_rate=lr, parameters=params, weight_decay=weight_decay)


@rule(torch.optim.SGD)
def SGD(params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False):  # noqa: F811
    if dampening != 0:
        raise NotImplementedError("Paddle's Momentum has no dampening; pass dampening=0")
    return paddle.optimizer.Momentum(
        learning_rate=lr, momentum=momentum, parameters=params, use_nesterov=nesterov, weight_decay=weight_decay
    )


@rule(torch.optim.Adam)
def Adam(params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    return paddle.optimizer.Adam(
        learning_rate=lr, beta1=betas[0], beta2=betas[1], epsilon=eps, parameters=params, weight_decay=weight_decay
    )


@rule(torch.optim.AdamW)
def AdamW(params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=1e-2):
    return paddle.optimizer.AdamW(
        learning_rate=lr, beta1=betas[0], beta2=betas[1], epsilon=eps, parameters=params, weight_decay=weight_decay
    )


@rule(torch.optim.Optimizer.zero_grad)
def zero_grad(self, set_to_none=True):
    return self.clear_grad(set_to_zero=not set_to_none)


@rule(torch.optim.Optimizer.load_state_dict)
def load_optimizer(self, state_dict):
    return self.set_state_dict(state_dict)


@rule("torch.optim.Optimizer.param_groups[][lr]")
def group_lr(self):
    return self.get_lr()


@rule(torch.optim.lr_scheduler.MultiStepLR)
def MultiStepLR(optimizer, milestones, gamma=0.1, last_epoch=-1):
    scheduler = paddle.optimizer.lr.MultiStepDecay(optimizer.get_lr(), milestones, gamma=gamma, last_epoch=last_epoch)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule(torch.optim.lr_scheduler.LambdaLR)
def LambdaLR(optimizer, lr_lambda, last_epoch=-1):
    if isinstance(lr_lambda, (list, tuple)):
        raise NotImplementedError("Paddle has one learning rate schedule for all parameter groups; pass one function")
    scheduler = paddle.optimizer.lr.LambdaDecay(optimizer.get_lr(), lr_lambda, last_epoch=last_epoch)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule("torch.optim.lr_scheduler.LRScheduler.get_last_lr()[]")
def last_lr(self):
    return self.last_lr


@rule(torch.optim.lr_scheduler.LRScheduler.get_last_lr)
def get_last_lr(self):
    return [self.last_lr]


@rule(torch.optim.lr_scheduler.LRScheduler.load_state_dict)
def load_schedule(self, state_dict):
    return self.set_state_dict(state_dict)
