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


@rule(torch.optim.Optimizer.load_state_dict)
def load_optimizer(self, state_dict):
    return set_state_by_place(self, state_dict)


def set_state_by_place(optimizer, state):
    """Paddle finds a state by the parameters' names, which are others in a model made later; torch by their place."""
    kinds = ("_moment", "_beta1_pow", "_beta2_pow", "_velocity", "_inf_norm", "_mean_", "__avg", "_momentum", "_mu_")
    kinds += ("_step", "_eta_", "_ax_", "_row_var", "_col_var", "_variance", "_exp_avg")  # of the helper's own
    names = []
    for key in state:
        cuts = [key.find(kind) for kind in kinds if key.find(kind) > 0]
        if cuts and key[: min(cuts)] not in names:
            names.append(key[: min(cuts)])
    own = [p.name for p in optimizer._parameter_list if not isinstance(p, dict)]
    if isinstance(optimizer._param_groups[0], dict):
        own = [p.name for group in optimizer._param_groups for p in group["params"]]
    found = {}
    for key, value in state.items():
        name = next((n for n in sorted(names, key=len, reverse=True) if key.startswith(n + "_")), None)
        if name is None or len(own) != len(names):
            found[key] = value
            continue
        stem = own[names.index(name)] + key[len(name) :].rpartition("_")[0]
        # the number counts the optimizers that the parameter has had
        found.update({f"{stem}_{count}": value for count in range(8)})
    optimizer.set_state_dict(found)


@rule("torch.optim.Optimizer.param_groups[][lr]")
def group_lr(self):
    return self.get_lr()


class ParameterGroup:
    """One of an optimizer's groups under torch's keys; Paddle keeps the rate as a factor of the optimizer's."""

    def __init__(self, optimizer, group):
        self.optimizer, self.group = optimizer, group

    def factor(self):
        return self.group.get("learning_rate", 1.0) if isinstance(self.group, dict) else 1.0

    def parameters(self):
        return self.group["params"] if isinstance(self.group, dict) else self.optimizer._param_groups

    def keys(self):
        return ["params", "lr", *(k for k in (self.group if isinstance(self.group, dict) else {}) if k != "params")]

    def __contains__(self, key):
        return key in self.keys()

    def get(self, key, default=None):
        if key not in self.keys():
            return default
        return self[key]

    def __getitem__(self, key):
        if key == "params":
            return self.parameters()
        if key == "lr":
            return self.optimizer.get_lr() * self.factor()
        return self.group[key]

    def __setitem__(self, key, value):
        if key != "lr":
            self.group[key] = value
            return
        schedule = self.optimizer._learning_rate
        if len(groups_of(self.optimizer)) > 1:
            base = self.optimizer.get_lr()
            self.group["learning_rate"] = value / base if base else 1.0
            for parameter in self.parameters():
                parameter.optimize_attr["learning_rate"] = self.group["learning_rate"]
        elif isinstance(schedule, paddle.optimizer.lr.LRScheduler):
            schedule.last_lr = value / self.factor()
        else:
            self.optimizer.set_lr(value / self.factor())


def groups_of(optimizer):
    groups = optimizer._param_groups
    return groups if groups and isinstance(groups[0], dict) else [None]


@rule("torch.optim.Optimizer.param_groups")
def param_groups(self):
    return [ParameterGroup(self, group) for group in groups_of(self)]


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
