"""torch.optim.lr_scheduler: joined."""

import bisect

import paddle
import torch

from rewriters.rule import rule


class ScheduleSequence(paddle.optimizer.lr.LRScheduler):
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

    def state_dict(self):
        return {**super().state_dict(), "schedulers": [scheduler.state_dict() for scheduler in self.schedulers]}

    def set_state_dict(self, state_dict):
        for scheduler, state in zip(self.schedulers, state_dict["schedulers"], strict=True):
            scheduler.set_state_dict(state)
        super().set_state_dict({key: value for key, value in state_dict.items() if key != "schedulers"})


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
