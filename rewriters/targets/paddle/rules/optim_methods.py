"""Methods of optimizers: steps, gradients, states, groups."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.Optimizer.step)
def step(self):
    return self.step()


def step_with(optimizer, closure):
    if closure is None:
        return optimizer.step()
    if isinstance(optimizer, paddle.optimizer.LBFGS):
        return optimizer.step(closure)
    loss = closure()
    optimizer.step()
    return loss


@rule(torch.optim.Optimizer.step)
def step(self, closure=None):  # noqa: F811
    return step_with(self, closure)


@rule(torch.optim.LBFGS.step)
def lbfgs_step(self, closure):
    return self.step(closure)


@rule(torch.optim.Optimizer.zero_grad)
def zero_grad(self, set_to_none=True):
    return self.clear_grad(set_to_zero=not set_to_none)


@rule("torch.optim.Optimizer.param_groups[][lr]")
def group_lr(self):
    return self.get_lr()
