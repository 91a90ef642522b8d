"""Schedules made of others, weight averaging, and methods of schedules."""

import bisect
import copy
import math

import paddle
import torch

from rewriters.rule import rule, same


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


# Averages of a model's parameters.


@rule(torch.optim.swa_utils.AveragedModel)
class AveragedModel(paddle.nn.Layer):
    """A copy of a model whose parameters are averages over the steps."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if multi_avg_fn is not None:
            raise NotImplementedError("pass avg_fn, which averages one parameter, instead of multi_avg_fn")
        self.module = copy.deepcopy(model)
        self.register_buffer("n_averaged", paddle.zeros([], dtype="int64"))
        self.avg_fn, self.use_buffers = avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    @paddle.no_grad()
    def update_parameters(self, model):
        count = int(self.n_averaged)
        pairs = list(zip(self.module.parameters(), model.parameters(), strict=True))
        buffers = list(zip(self.module.buffers(), model.buffers(), strict=True))
        for own, new in [*pairs, *(buffers if self.use_buffers else [])]:
            if count == 0:
                own.set_value(new.detach())
            elif self.avg_fn is not None:
                own.set_value(self.avg_fn(own.detach(), new.detach(), count))
            else:
                own.set_value(own + (new.detach() - own) / (count + 1))
        if not self.use_buffers:
            for own, new in buffers:
                own.set_value(new.detach())
        self.n_averaged.set_value(self.n_averaged + 1)


same("torch.optim.swa_utils.AveragedModel.update_parameters")


@rule(torch.optim.swa_utils.get_ema_avg_fn)
def get_ema_avg_fn(decay=0.999):
    return lambda ema, current, count: decay * ema + (1 - decay) * current


@rule(torch.optim.swa_utils.get_swa_avg_fn)
def get_swa_avg_fn():
    return lambda average, current, count: average + (current - average) / (count + 1)


class AveragingRate(paddle.optimizer.lr.LRScheduler):
    """From the optimizer's rate to that of the averaging."""

    def __init__(self, learning_rate, swa_lr, anneal_epochs, anneal_strategy):
        self.swa_lr, self.anneal_epochs, self.anneal_strategy = swa_lr, anneal_epochs, anneal_strategy
        super().__init__(learning_rate)

    def get_lr(self):
        share = min(1.0, self.last_epoch / max(1, self.anneal_epochs))
        if self.anneal_strategy == "cos":
            share = (1 - math.cos(math.pi * share)) / 2
        return self.swa_lr * share + self.base_lr * (1 - share)


@rule(torch.optim.swa_utils.SWALR)
def SWALR(optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
    scheduler = AveragingRate(optimizer.get_lr(), swa_lr, anneal_epochs, anneal_strategy)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler
