"""Optimizers. Arguments that only choose among torch's implementations (foreach, fused, ...) are dropped."""

import oneflow
import torch

from rewriters.rule import alias, rule, same

alias(torch.optim.Optimizer, "oneflow.optim.Optimizer")
same(
    "torch.optim.Optimizer.state_dict",
    "torch.optim.Optimizer.load_state_dict", "torch.optim.Optimizer.param_groups",
    "torch.optim.Optimizer.add_param_group",
)  # fmt: skip


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
