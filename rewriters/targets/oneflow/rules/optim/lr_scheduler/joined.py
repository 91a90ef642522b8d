"""Schedules that go on from the rate as it stands, as torch's do: OneFlow's compute it from the first rate anew, so
that what the program sets, or another schedule, is forgotten.
"""

import oneflow

from rewriters.rule import rule


class On:
    """Before a schedule of OneFlow's: changes the rate by what the schedule changes in this step."""

    least = 0.0

    def __init__(self, *args, last_epoch=-1, **words):
        super().__init__(*args, last_step=last_epoch, **words)

    @property
    def last_epoch(self):
        return self.last_step

    def step(self, epoch=None):
        if epoch is not None:
            self.last_step = epoch
            return self.update_lrs([self.get_lr(first, epoch) for first in self.base_lrs])
        self.last_step += 1
        rates = []
        for group, first in zip(self.optimizer.param_groups, self.base_lrs, strict=True):
            before = first if self.last_step == 0 else self.get_lr(first, self.last_step - 1)
            change, rate = self.get_lr(first, self.last_step) - before, group["lr"]
            over = before - self.least
            rates.append(rate + (rate - self.least) * change / over if abs(over) > 1e-12 * first else rate + change)
        self.update_lrs(rates)


@rule("torch.optim.lr_scheduler.StepLR:on")
class StepLR(On, oneflow.optim.lr_scheduler.StepLR):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        super().__init__(optimizer, step_size, gamma, last_epoch=last_epoch)


@rule("torch.optim.lr_scheduler.MultiStepLR:on")
class MultiStepLR(On, oneflow.optim.lr_scheduler.MultiStepLR):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        super().__init__(optimizer, sorted(milestones), gamma, last_epoch=last_epoch)


@rule("torch.optim.lr_scheduler.ExponentialLR:on")
class ExponentialLR(On, oneflow.optim.lr_scheduler.ExponentialLR):
    def __init__(self, optimizer, gamma, last_epoch=-1):
        super().__init__(optimizer, gamma, last_epoch=last_epoch)


@rule("torch.optim.lr_scheduler.CosineAnnealingLR:on")
class CosineAnnealingLR(On, oneflow.optim.lr_scheduler.CosineAnnealingLR):
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.least = eta_min
        super().__init__(optimizer, T_max, eta_min, last_epoch=last_epoch)


@rule("torch.optim.lr_scheduler.LinearLR:on")
class LinearLR(On, oneflow.optim.lr_scheduler.LinearLR):
    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        super().__init__(optimizer, start_factor, end_factor, total_iters, last_epoch=last_epoch)


@rule("torch.optim.lr_scheduler.ConstantLR:on")
class ConstantLR(On, oneflow.optim.lr_scheduler.ConstantLR):
    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        super().__init__(optimizer, factor, total_iters, last_epoch=last_epoch)


@rule("torch.optim.lr_scheduler.PolynomialLR:on")
class PolynomialLR(On, oneflow.optim.lr_scheduler.PolynomialLR):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        super().__init__(optimizer, total_iters, 0.0, power, last_epoch=last_epoch)


@rule("torch.optim.lr_scheduler.LRScheduler:base", "torch.optim.lr_scheduler._LRScheduler:base")
class Schedule(oneflow.optim.lr_scheduler._LRScheduler):
    """What schedules of the program derive from: get_lr() gives the rates of the step last_epoch."""

    _step_count = 0

    def __init__(self, optimizer, last_epoch=-1, verbose=False):
        super().__init__(optimizer, last_epoch)

    @property
    def last_epoch(self):
        return self.last_step

    @last_epoch.setter
    def last_epoch(self, value):
        self.last_step = value

    def step(self, epoch=None):
        self._step_count += 1
        self.last_step = self.last_step + 1 if epoch is None else epoch
        self.update_lrs(self.get_lr())

    def state_dict(self):
        found = super().state_dict()
        return {**found, "last_epoch": found.pop("last_step")}

    def load_state_dict(self, state_dict):
        self.__dict__.update({"last_step" if key == "last_epoch" else key: v for key, v in state_dict.items()})


@rule("torch.optim.lr_scheduler.LRScheduler.last_epoch")
def last_epoch(self):
    return self.last_step
