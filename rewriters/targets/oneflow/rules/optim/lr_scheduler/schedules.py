"""Learning rate schedules. OneFlow's compute the rate of a step from the first rate: get_lr(base_lr, step)."""

import math

import oneflow
import torch

from rewriters.rule import alias, note, rule, same

alias(torch.optim.lr_scheduler.LRScheduler, "oneflow.optim.lr_scheduler._LRScheduler")


same(
    "torch.optim.lr_scheduler.LRScheduler.state_dict", "torch.optim.lr_scheduler.ReduceLROnPlateau.step",
    "torch.optim.lr_scheduler.LRScheduler.load_state_dict", "torch.optim.lr_scheduler.LRScheduler.get_last_lr",
)  # fmt: skip


@rule("torch.optim.lr_scheduler.LRScheduler.state_dict:counted")
def state_of_schedule(self):
    """With what torch's counts of steps are called."""
    state = self.state_dict()
    if "last_step" in state:
        state = {**state, "last_epoch": state["last_step"], "_step_count": state["last_step"] + 1}
    return state


@rule("torch.optim.lr_scheduler.LRScheduler.load_state_dict:counted")
def load_schedule(self, state_dict):
    if hasattr(self, "last_step"):
        state_dict = {key: value for key, value in state_dict.items() if key not in ("last_epoch", "_step_count")}
    return self.load_state_dict(state_dict)


@rule(torch.optim.lr_scheduler.LRScheduler.step)
def step(self):
    return self.step()


@rule(torch.optim.lr_scheduler.LRScheduler.step)
def step(self, epoch: None):
    return self.step()


@rule(torch.optim.lr_scheduler.LRScheduler.step)
def step_to(self, epoch):
    if epoch is None or isinstance(self, oneflow.optim.lr_scheduler.ReduceLROnPlateau):
        return self.step(*(() if epoch is None else (epoch,)))
    if hasattr(self, "last_epoch"):  # the program's, and those that go on from the rate as it stands
        return self.step(epoch)
    self.last_step = epoch - 1
    return self.step()


@rule(torch.optim.lr_scheduler.LambdaLR)
def LambdaLR(optimizer, lr_lambda):
    return oneflow.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda)


@rule(torch.optim.lr_scheduler.LambdaLR)
def LambdaLR(optimizer, lr_lambda, last_epoch=-1):
    return oneflow.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda, last_step=last_epoch)


@rule(torch.optim.lr_scheduler.StepLR)
def StepLR(optimizer, step_size, gamma=0.1):
    return oneflow.optim.lr_scheduler.StepLR(optimizer, step_size, gamma)


@rule(torch.optim.lr_scheduler.StepLR)
def StepLR(optimizer, step_size, gamma=0.1, last_epoch=-1):
    return oneflow.optim.lr_scheduler.StepLR(optimizer, step_size, gamma, last_step=last_epoch)


@rule(torch.optim.lr_scheduler.MultiStepLR)
def MultiStepLR(optimizer, milestones, gamma=0.1):
    return oneflow.optim.lr_scheduler.MultiStepLR(optimizer, milestones, gamma)


@rule(torch.optim.lr_scheduler.MultiStepLR)
def MultiStepLR(optimizer, milestones, gamma=0.1, last_epoch=-1):
    return oneflow.optim.lr_scheduler.MultiStepLR(optimizer, milestones, gamma, last_step=last_epoch)


@rule(torch.optim.lr_scheduler.CosineAnnealingLR)
def CosineAnnealingLR(optimizer, T_max, eta_min=0.0):
    return oneflow.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max, eta_min)


@rule(torch.optim.lr_scheduler.CosineAnnealingLR)
def CosineAnnealingLR(optimizer, T_max, eta_min=0.0, last_epoch=-1):
    return oneflow.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max, eta_min, last_step=last_epoch)


note(
    torch.optim.lr_scheduler.SequentialLR,
    "computes the rate from the first one: what another schedule or the program made of it is forgotten",
)


@rule(torch.optim.lr_scheduler.SequentialLR)
def SequentialLR(optimizer, schedulers, milestones, last_epoch=-1):
    if last_epoch != -1:
        raise NotImplementedError("load the schedule's state instead of passing last_epoch")
    # each schedule begins anew at its milestone, as torch's do
    return oneflow.optim.lr_scheduler.SequentialLR(optimizer, schedulers, milestones, interval_rescaling=True)


@rule(torch.optim.lr_scheduler.PolynomialLR)
def PolynomialLR(optimizer, total_iters=5, power=1.0, last_epoch=-1):
    return oneflow.optim.lr_scheduler.PolynomialLR(
        optimizer, total_iters, end_learning_rate=0.0, power=power, last_step=last_epoch
    )


@rule(torch.optim.lr_scheduler.ReduceLROnPlateau)
class ReduceLROnPlateau(oneflow.optim.lr_scheduler.ReduceLROnPlateau):
    """OneFlow's own, which does not tell the last rates."""

    def get_last_lr(self):
        return [group["lr"] for group in self.optimizer.param_groups]


@rule(torch.optim.lr_scheduler.MultiplicativeLR)
class MultiplicativeLR(oneflow.optim.lr_scheduler._LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        count = len(optimizer.param_groups)
        self.functions = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
        super().__init__(optimizer, last_epoch)

    def step(self):
        self.last_step += 1
        rates = [
            group["lr"] * (function(self.last_step) if self.last_step else 1)
            for group, function in zip(self.optimizer.param_groups, self.functions)  # noqa: B905
        ]
        self.update_lrs(rates)


@rule(torch.optim.lr_scheduler.OneCycleLR)
class OneCycleLR(oneflow.optim.lr_scheduler._LRScheduler):
    """Up to the largest rate and down again; Adam's first beta goes the other way."""

    def __init__(
        self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
        anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0,
        final_div_factor=1e4, three_phase=False, last_epoch=-1,
    ):  # fmt: skip
        total = total_steps or epochs * steps_per_epoch
        self.total_steps, self.linear, self.cycle_momentum = total, anneal_strategy == "linear", cycle_momentum
        low, high = base_momentum, max_momentum
        up = float(pct_start * total) - 1
        if three_phase:
            ends = [(up, "first", "top", high, low), (2 * up, "top", "first", low, high)]
            self.phases = [*ends, (total - 1, "first", "last", high, high)]
        else:
            self.phases = [(up, "first", "top", high, low), (total - 1, "top", "last", low, high)]
        tops = list(max_lr) if isinstance(max_lr, (list, tuple)) else [max_lr] * len(optimizer.param_groups)
        for group, top in zip(optimizer.param_groups, tops):  # noqa: B905
            group["initial_lr"] = top / div_factor
            group["max_lr"] = top
        self.marks = [
            {"first": top / div_factor, "top": top, "last": top / div_factor / final_div_factor} for top in tops
        ]
        super().__init__(optimizer, last_epoch)

    def between(self, start, end, share):
        if self.linear:
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def step(self):
        self.last_step += 1
        if self.last_step > self.total_steps:
            raise ValueError(f"step {self.last_step} of a schedule of {self.total_steps}")
        begins = 0.0
        for phase in self.phases:
            last, start, end, momentum, later = phase
            if self.last_step <= last or phase is self.phases[-1]:
                share = (self.last_step - begins) / (last - begins)
                break
            begins = last
        self.update_lrs([self.between(marks[start], marks[end], share) for marks in self.marks])
        for group in self.optimizer.param_groups if self.cycle_momentum else []:
            value = self.between(momentum, later, share)
            if "betas" in group:
                group["betas"] = (value, *group["betas"][1:])
            else:
                group["momentum"] = value


@rule(torch.optim.lr_scheduler.CyclicLR)
class CyclicLR(oneflow.optim.lr_scheduler._LRScheduler):
    def __init__(
        self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0,
        scale_fn=None, scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1,
    ):  # fmt: skip
        count = len(optimizer.param_groups)
        self.low = list(base_lr) if isinstance(base_lr, (list, tuple)) else [base_lr] * count
        self.high = list(max_lr) if isinstance(max_lr, (list, tuple)) else [max_lr] * count
        down = float(step_size_up if step_size_down is None else step_size_down)
        self.total = float(step_size_up) + down
        self.rise = float(step_size_up) / self.total
        self.mode, self.gamma, self.scale, self.scale_mode = mode, gamma, scale_fn, scale_mode
        self.cycle_momentum, self.momenta = cycle_momentum, (base_momentum, max_momentum)
        for group, rate in zip(optimizer.param_groups, self.low):  # noqa: B905
            group["initial_lr"] = rate
        super().__init__(optimizer, last_epoch)

    def factor(self, cycle):
        if self.scale is not None:
            return self.scale(cycle if self.scale_mode == "cycle" else self.last_step)
        if self.mode == "triangular2":
            return 1 / 2.0 ** (cycle - 1)
        return self.gamma**self.last_step if self.mode == "exp_range" else 1.0

    def step(self):
        self.last_step += 1
        cycle = math.floor(1 + self.last_step / self.total)
        place = 1 + self.last_step / self.total - cycle
        height = place / self.rise if place <= self.rise else (place - 1) / (self.rise - 1)
        height = height * self.factor(cycle)
        self.update_lrs([low + (high - low) * height for low, high in zip(self.low, self.high)])  # noqa: B905
        for group in self.optimizer.param_groups if self.cycle_momentum else []:
            value = self.momenta[1] - (self.momenta[1] - self.momenta[0]) * height
            if "betas" in group:
                group["betas"] = (value, *group["betas"][1:])
            else:
                group["momentum"] = value


alias("torch.optim.lr_scheduler._LRScheduler", "oneflow.optim.lr_scheduler._LRScheduler")
