"""Schedules of schedules, and one that looks at how training goes."""

from bisect import bisect_right

import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.optim.lr_scheduler.schedules import LRScheduler


@rule(torch.optim.lr_scheduler.SequentialLR)
class SequentialLR(LRScheduler):
    """One after the other; each begins anew at its milestone."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than milestones"
            )
        if any(one.optimizer is not optimizer for one in schedulers):
            raise ValueError("Sequential Schedulers expects all schedulers to belong to the same optimizer")
        self.optimizer, self._schedulers, self._milestones = optimizer, schedulers, milestones
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for one in schedulers:
            undo(one)
        schedulers[0].begin()
        self._last_lr = schedulers[0].get_last_lr()

    def step(self):
        self.last_epoch += 1
        index = bisect_right(self._milestones, self.last_epoch)
        one = self._schedulers[index]
        if index > 0 and self._milestones[index - 1] == self.last_epoch:
            one.step(0)
        else:
            one.step()
        self._last_lr = one.get_last_lr()

    def state_dict(self):
        found = super().state_dict()
        return {**found, "_schedulers": [one.state_dict() for one in self._schedulers]}

    def load_state_dict(self, state_dict):
        load_all(self, state_dict)


def undo(scheduler):
    """Take back the step that a schedule makes when it is made."""
    for one in getattr(scheduler, "_schedulers", ()):
        undo(one)
    if hasattr(scheduler, "last_epoch"):
        scheduler.last_epoch -= 1


def load_all(scheduler, state_dict):
    given = dict(state_dict)
    for one, state in zip(scheduler._schedulers, given.pop("_schedulers"), strict=False):
        one.load_state_dict(state)
    vars(scheduler).update(given)


@rule(torch.optim.lr_scheduler.ChainedScheduler)
class ChainedScheduler(LRScheduler):
    """All at each step."""

    def __init__(self, schedulers, optimizer=None):
        self.optimizer = schedulers[0].optimizer if optimizer is None else optimizer
        if any(one.optimizer is not self.optimizer for one in schedulers):
            raise ValueError("ChainedScheduler expects all schedulers to belong to the same optimizer")
        self._schedulers = list(schedulers)
        self._last_lr = self.rates()

    def step(self):
        for one in self._schedulers:
            one.step()
        self._last_lr = self.rates()

    def state_dict(self):
        found = super().state_dict()
        return {**found, "_schedulers": [one.state_dict() for one in self._schedulers]}

    def load_state_dict(self, state_dict):
        load_all(self, state_dict)


@rule(torch.optim.lr_scheduler.ReduceLROnPlateau)
class ReduceLROnPlateau(LRScheduler):
    """Lowers the rate when a number has stopped to get better."""

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0,
        min_lr=0, eps=1e-8,
    ):  # fmt: skip
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.optimizer, self.factor, self.patience, self.cooldown, self.eps = optimizer, factor, patience, cooldown, eps
        self.min_lrs = list(min_lr) if isinstance(min_lr, (list, tuple)) else [min_lr] * len(optimizer.param_groups)
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.best = float("inf") if mode == "min" else -float("inf")
        self.last_epoch, self.cooldown_counter, self.num_bad_epochs = 0, 0, 0
        self._last_lr = self.rates()

    def is_better(self, value, best):
        if self.threshold_mode == "rel":
            edge = best * (1.0 - self.threshold if self.mode == "min" else 1.0 + self.threshold)
        else:
            edge = best - self.threshold if self.mode == "min" else best + self.threshold
        return value < edge if self.mode == "min" else value > edge

    @property
    def in_cooldown(self):
        return self.cooldown_counter > 0

    def step(self, metrics, epoch=None):
        value = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(value, self.best):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=False):
                lower = max(group["lr"] * self.factor, least)
                if group["lr"] - lower > self.eps:
                    group["lr"] = lower
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self.rates()
