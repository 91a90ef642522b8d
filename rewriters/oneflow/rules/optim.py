"""Optimizers and schedules."""

import oneflow
import torch

from rewriters.rule import alias, rule, same

alias(torch.optim.Optimizer, "oneflow.optim.Optimizer")
alias(torch.optim.lr_scheduler.LRScheduler, "oneflow.optim.lr_scheduler._LRScheduler")
same(
    "torch.optim.SGD", "torch.optim.Adam", "torch.optim.Optimizer.step", "torch.optim.Optimizer.zero_grad",
    "torch.optim.Optimizer.state_dict", "torch.optim.Optimizer.load_state_dict", "torch.optim.Optimizer.param_groups",
    "torch.optim.lr_scheduler.MultiStepLR", "torch.optim.lr_scheduler.StepLR",
    "torch.optim.lr_scheduler.CosineAnnealingLR", "torch.optim.lr_scheduler.LambdaLR",
    "torch.optim.lr_scheduler.LRScheduler.step", "torch.optim.lr_scheduler.LRScheduler.state_dict",
    "torch.optim.lr_scheduler.LRScheduler.load_state_dict", "torch.optim.lr_scheduler.LRScheduler.get_last_lr",
)  # fmt: skip


@rule(torch.optim.AdamW)
def AdamW(params, lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=1e-2):
    # OneFlow's default weight decay is 0, torch's 0.01
    return oneflow.optim.AdamW(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
