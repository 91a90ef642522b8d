"""Schedules that cycle the rate and the momentum."""

import math

import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.optim.lr_scheduler.schedules import LRScheduler


def of_groups(optimizer, value):
    """A value for each group."""
    count = len(optimizer.param_groups)
    if isinstance(value, (list, tuple)):
        if len(value) != count:
            raise ValueError(f"Expected {count} values, but got {len(value)}")
        return list(value)
    return [value] * count


class Cycling(LRScheduler):
    """One that sets the momentum too: of Adam's kind the first beta."""

    def momenta(self, values):
        for group, momentum in zip(self.optimizer.param_groups, values, strict=False):
            if self.use_beta1:
                group["betas"] = (momentum, *group["betas"][1:])
            else:
                group["momentum"] = momentum

    def find_momentum(self, optimizer):
        group = optimizer.param_groups[0]
        if "momentum" not in group and "betas" not in group:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in group


@rule(torch.optim.lr_scheduler.OneCycleLR)
class OneCycleLR(Cycling):
    def __init__(
        self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
        anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0,
        final_div_factor=1e4, three_phase=False, last_epoch=-1,
    ):  # fmt: skip
        if total_steps is None and (epochs is None or steps_per_epoch is None):
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        self.total_steps = epochs * steps_per_epoch if total_steps is None else total_steps
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self.anneal_strategy, self.cycle_momentum = anneal_strategy, cycle_momentum
        first = pct_start * self.total_steps - 1
        self.phases = [
            (first, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
            (self.total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum"),
        ]
        if three_phase:
            self.phases[1:] = [
                (2 * pct_start * self.total_steps - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
                (self.total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
            ]
        if last_epoch == -1:
            for group, most in zip(optimizer.param_groups, of_groups(optimizer, max_lr), strict=False):
                group["initial_lr"], group["max_lr"] = most / div_factor, most
                group["min_lr"] = most / div_factor / final_div_factor
        if cycle_momentum:
            self.find_momentum(optimizer)
            if last_epoch == -1:
                least, most = (of_groups(optimizer, value) for value in (base_momentum, max_momentum))
                for group, low, high in zip(optimizer.param_groups, least, most, strict=False):
                    group["base_momentum"], group["max_momentum"] = low, high
                self.optimizer = optimizer
                self.momenta(most)
        super().__init__(optimizer, last_epoch)

    def between(self, start, end, share):
        if self.anneal_strategy == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def get_lr(self):
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The total number of steps is {self.total_steps}")
        start = 0.0
        for phase in self.phases:
            if step <= phase[0] or phase is self.phases[-1]:
                break
            start = phase[0]
        end, first, last, first_momentum, last_momentum = phase
        share = (step - start) / (end - start)
        groups = self.optimizer.param_groups
        if self.cycle_momentum:
            self.momenta([self.between(g[first_momentum], g[last_momentum], share) for g in groups])
        return [self.between(group[first], group[last], share) for group in groups]


@rule(torch.optim.lr_scheduler.CyclicLR)
class CyclicLR(Cycling):
    def __init__(
        self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0,
        scale_fn=None, scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1,
    ):  # fmt: skip
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, of_groups(optimizer, base_lr), strict=False):
                group["lr"] = rate
        self.max_lrs = of_groups(optimizer, max_lr)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up + down)
        self.step_ratio = float(step_size_up) / self.total_size
        self.mode, self.gamma, self.scale_fn = mode, gamma, scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else ("iterations" if mode == "exp_range" else "cycle")
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.find_momentum(optimizer)
            self.base_momentums, self.max_momentums = (
                of_groups(optimizer, value) for value in (base_momentum, max_momentum)
            )
            if last_epoch == -1:
                self.optimizer = optimizer
                self.momenta(self.max_momentums)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = of_groups(optimizer, base_lr)

    def scale(self, at):
        if self.scale_fn is not None:
            return self.scale_fn(at)
        if self.mode == "triangular":
            return 1.0
        return 1 / (2.0 ** (at - 1)) if self.mode == "triangular2" else self.gamma**at

    def get_lr(self):
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        along = 1.0 + self.last_epoch / self.total_size - cycle
        share = along / self.step_ratio if along <= self.step_ratio else (along - 1) / (self.step_ratio - 1)
        factor = self.scale(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            pairs = zip(self.base_momentums, self.max_momentums, strict=False)
            self.momenta([high - (high - low) * share * factor for low, high in pairs])
        return [low + (high - low) * share * factor for low, high in zip(self.base_lrs, self.max_lrs, strict=False)]
