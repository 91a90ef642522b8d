"""torch.optim.lr_scheduler: joined."""

import bisect

import paddle
import torch

from rewriters.rule import rule
from rewriters.targets.paddle.rules.optim.lr_scheduler.schedules import ScheduleOfGroups, in_common


class OfSchedules(paddle.optimizer.lr.LRScheduler):
    """What is made of several: its state has theirs."""

    def state_dict(self):
        return {**super().state_dict(), "schedulers": [scheduler.state_dict() for scheduler in self.schedulers]}

    def set_state_dict(self, state_dict):
        for scheduler, state in zip(self.schedulers, state_dict["schedulers"], strict=True):
            scheduler.set_state_dict(state)
        super().set_state_dict({key: value for key, value in state_dict.items() if key != "schedulers"})


class ScheduleSequence(OfSchedules):
    """One schedule after the other, each from its own start, all from the rate that the first one began with."""

    def __init__(self, schedulers, milestones):
        self.schedulers, self.milestones = list(schedulers), list(milestones)
        base = self.schedulers[0].base_lr
        for scheduler in self.schedulers:
            scheduler.base_lr = base
        super().__init__(base)

    def get_lr(self):
        index = bisect.bisect_right(self.milestones, self.last_epoch)
        scheduler = self.schedulers[index]
        if self.last_epoch == (self.milestones[index - 1] if index else 0):
            scheduler.last_epoch = 0
            scheduler.last_lr = scheduler.get_lr()
        else:
            scheduler.step()
        return scheduler.last_lr


@rule(torch.optim.lr_scheduler.SequentialLR)
def SequentialLR(optimizer, schedulers, milestones):
    scheduler = ScheduleSequence(schedulers, milestones)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


class ScheduleProduct(paddle.optimizer.lr.LRScheduler):
    """Each schedule changes the rate by the factor by which it would change its own.

    The optimizer holds the schedule that was made for it last: that one shows the product to it.
    """

    def __init__(self, schedulers):
        self.schedulers = list(schedulers)
        base = self.schedulers[0].base_lr
        self.rate, self.own = base, []
        for scheduler in self.schedulers:
            scheduler.base_lr = base
            self.own.append(scheduler.get_lr())
            self.rate *= self.own[-1] / base
        super().__init__(base)

    def get_lr(self):
        if self.last_epoch > 0:
            for index, scheduler in enumerate(self.schedulers):
                before = scheduler.last_lr = self.own[index]
                scheduler.step()
                self.own[index] = scheduler.last_lr
                self.rate *= self.own[index] / before if before else 1.0
        self.schedulers[-1].last_lr = self.rate
        return self.rate


@rule(torch.optim.lr_scheduler.ChainedScheduler)
def ChainedScheduler(schedulers, optimizer=None):
    scheduler = ScheduleProduct(schedulers)
    if optimizer is not None:
        optimizer.set_lr_scheduler(scheduler)
    return scheduler


# Of optimizers with groups, or rates set by hand, chosen by passes/optimizers.py: each rate comes of the one before.
class RateOfSchedules(OfSchedules):
    """The rate that several schedules give which hand on what they make of each other's."""

    def __init__(self, optimizer, schedules, rate):
        self.optimizer, self.schedulers = optimizer, schedules
        super().__init__(schedules[0].base_lr)
        self.last_lr = rate
        optimizer.set_lr_scheduler(self)

    def get_lr(self):
        return self.changed(self.last_lr) if self.last_epoch > 0 else self.last_lr


def set_back(schedule):
    """To its start. Its rate there, from the first one unless it only changes what is."""
    schedule.last_epoch = 0
    if getattr(schedule, "restarts", True):
        schedule.last_lr = schedule.base_lr
    schedule.last_lr = schedule.get_lr()
    return schedule.last_lr


class RateInTurn(RateOfSchedules):
    """That of one schedule after the other."""

    def __init__(self, optimizer, schedules, milestones):
        self.milestones = milestones
        for schedule in schedules[1:]:
            schedule.last_epoch = -1
        super().__init__(optimizer, schedules, set_back(schedules[0]))

    def changed(self, rate):
        index = bisect.bisect_right(self.milestones, self.last_epoch)
        schedule = self.schedulers[index]
        schedule.last_lr = rate
        if index and self.milestones[index - 1] == self.last_epoch:
            return set_back(schedule)
        schedule.step()
        return schedule.last_lr


class RateOfAll(RateOfSchedules):
    """That of all schedules at once."""

    def __init__(self, optimizer, schedules):
        super().__init__(optimizer, schedules, schedules[-1].last_lr)

    def changed(self, rate):
        for schedule in self.schedulers:
            schedule.last_lr = rate
            schedule.step()
            rate = schedule.last_lr
        return rate


def joined(make, optimizer, schedulers, *args):
    """One of those, or one for each group where the schedules have one for each."""
    schedulers = list(schedulers)
    if not hasattr(schedulers[0], "schedules"):
        return in_common(make(optimizer, schedulers, *args), optimizer)
    each = list(zip(*(scheduler.schedules for scheduler in schedulers), strict=True))
    return ScheduleOfGroups(optimizer, lambda rate, index: make(rate, list(each[index]), *args))


@rule("torch.optim.lr_scheduler.SequentialLR:groups")
def SequentialLR_of_groups(optimizer, schedulers, milestones, last_epoch=-1):
    if last_epoch != -1:
        raise NotImplementedError("load the schedule's state instead of passing last_epoch")
    return joined(RateInTurn, optimizer, schedulers, milestones)


@rule("torch.optim.lr_scheduler.ChainedScheduler:groups")
def ChainedScheduler_of_groups(schedulers, optimizer=None):
    schedulers = list(schedulers)
    return joined(RateOfAll, schedulers[0].optimizer if optimizer is None else optimizer, schedulers)


@rule("torch.optim.lr_scheduler.LRScheduler.get_last_lr()[]")
def last_lr(self):
    return self.last_lr


@rule(torch.optim.lr_scheduler.LRScheduler.get_last_lr)
def get_last_lr(self):
    return [self.last_lr]


@rule(torch.optim.lr_scheduler.LRScheduler.get_lr)
def get_lr(self):
    return [self.get_lr()]


@rule("torch.optim.lr_scheduler.LRScheduler.base_lrs")
def base_lrs(self):
    return [self.base_lr]


@rule(torch.optim.lr_scheduler.LRScheduler.load_state_dict)
def load_schedule(self, state_dict):
    return self.set_state_dict(state_dict)
