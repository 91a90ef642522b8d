"""Methods of optimizers: steps, gradients, states, groups."""

import paddle
import torch

from rewriters.rule import refuse, rule


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


refuse(
    torch.optim.Optimizer.add_param_group,
    "Paddle's method of that name is private; give all groups when the optimizer is made",
)
refuse(
    torch.optim.Optimizer.register_step_post_hook,
    "Paddle's optimizers have no hooks; call the function after step()",
)
refuse(
    torch.optim.Optimizer.register_step_pre_hook,
    "Paddle's optimizers have no hooks; call the function before step()",
)
refuse(
    torch.optim.Optimizer.register_load_state_dict_post_hook,
    "Paddle's optimizers have no hooks; call the function after set_state_dict()",
)
refuse(
    torch.optim.Optimizer.register_load_state_dict_pre_hook,
    "Paddle's optimizers have no hooks; call the function before set_state_dict()",
)
refuse(
    torch.optim.Optimizer.register_state_dict_post_hook,
    "Paddle's optimizers have no hooks; change what state_dict() gives",
)
refuse(
    torch.optim.Optimizer.register_state_dict_pre_hook,
    "Paddle's optimizers have no hooks; call the function before state_dict()",
)
refuse(
    torch.optim.optimizer.register_optimizer_step_pre_hook,
    "Paddle's optimizers have no hooks; call the function before step()",
)
refuse(
    torch.profiler.register_optimizer_step_post_hook,
    "Paddle's optimizers have no hooks; call the function after step()",
)
refuse(torch.optim.Optimizer.OptimizerPostHook, "Paddle's optimizers have no hooks; the annotation can go")
refuse(torch.optim.Optimizer.OptimizerPreHook, "Paddle's optimizers have no hooks; the annotation can go")
refuse(torch.optim.Optimizer.profile_hook_step, "part of torch's profiler; remove the call")
refuse(
    torch.optim.adadelta.adadelta,
    torch.optim.adagrad.adagrad,
    torch.optim.adam.adam,
    torch.optim.adamax.adamax,
    torch.optim.adamw.adamw,
    torch.optim.asgd.asgd,
    torch.optim.nadam.nadam,
    torch.optim.radam.radam,
    torch.optim.rmsprop.rmsprop,
    torch.optim.rprop.rprop,
    torch.optim.sgd.sgd,
    "Paddle has no functional optimizers; use the optimizer's class",
)
