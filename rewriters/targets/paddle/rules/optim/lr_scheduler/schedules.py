"""Learning rate schedules. Paddle's are made before the optimizer; set_lr_scheduler keeps torch's order."""

import copy
import math

import paddle
import torch

from rewriters.rule import alias, family, rule, same
from rewriters.targets.paddle.rules.optim.groups import param_groups

alias(torch.optim.lr_scheduler.LRScheduler, "paddle.optimizer.lr.LRScheduler")


same("torch.optim.lr_scheduler.LRScheduler.step", "torch.optim.lr_scheduler.LRScheduler.state_dict")


same("torch.optim.lr_scheduler.LRScheduler.last_epoch")


@family("Step MultiStep", "step_size milestones")
@rule(torch.optim.lr_scheduler.StepLR)
def StepLR(optimizer, step_size, gamma=0.1, last_epoch=-1):
    scheduler = paddle.optimizer.lr.StepDecay(optimizer.get_lr(), step_size, gamma=gamma, last_epoch=last_epoch)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@family("LambdaLR MultiplicativeLR", "LambdaDecay MultiplicativeDecay")
@rule(torch.optim.lr_scheduler.LambdaLR)
def LambdaLR(optimizer, lr_lambda, last_epoch=-1):
    if isinstance(lr_lambda, (list, tuple)):
        raise NotImplementedError("Paddle has one learning rate schedule for all parameter groups; pass one function")
    scheduler = paddle.optimizer.lr.LambdaDecay(optimizer.get_lr(), lr_lambda, last_epoch=last_epoch)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule(torch.optim.lr_scheduler.ExponentialLR)
def ExponentialLR(optimizer, gamma, last_epoch=-1):
    scheduler = paddle.optimizer.lr.ExponentialDecay(optimizer.get_lr(), gamma, last_epoch=last_epoch)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule(torch.optim.lr_scheduler.CosineAnnealingLR)
def CosineAnnealingLR(optimizer, T_max, eta_min=0, last_epoch=-1):
    scheduler = paddle.optimizer.lr.CosineAnnealingDecay(
        optimizer.get_lr(), T_max, eta_min=eta_min, last_epoch=last_epoch
    )
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule(torch.optim.lr_scheduler.LinearLR)
def LinearLR(optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
    scheduler = paddle.optimizer.lr.LinearLR(
        optimizer.get_lr(), total_iters, start_factor=start_factor, end_factor=end_factor, last_epoch=last_epoch
    )
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


class HeldThenFree(paddle.optimizer.lr.LRScheduler):
    """The rate times a factor for the first steps."""

    def __init__(self, learning_rate, factor, total_iters, last_epoch=-1):
        self.factor, self.total_iters = factor, total_iters
        super().__init__(learning_rate, last_epoch)

    def get_lr(self):
        return self.base_lr * (self.factor if self.last_epoch < self.total_iters else 1.0)


@rule(torch.optim.lr_scheduler.ConstantLR)
def ConstantLR(optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
    scheduler = HeldThenFree(optimizer.get_lr(), factor, total_iters, last_epoch=last_epoch)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule(torch.optim.lr_scheduler.PolynomialLR)
def PolynomialLR(optimizer, total_iters=5, power=1.0, last_epoch=-1):
    scheduler = paddle.optimizer.lr.PolynomialDecay(
        optimizer.get_lr(), total_iters, end_lr=0.0, power=power, last_epoch=last_epoch
    )
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule(torch.optim.lr_scheduler.ReduceLROnPlateau.step)
def plateau_step(self, metrics, epoch=None):
    return self.step(metrics, epoch=epoch)


# Of optimizers that may have groups with rates of their own, or rates set by hand, chosen by passes.py: one schedule
# for each group, as Paddle's set the optimizer's rate, of which those of groups are factors.
class RateAfterRate(paddle.optimizer.lr.LRScheduler):
    """Each rate comes of the one before, as torch has it, so that one set by hand in between counts.

    change:   (steps so far, rate, first rate) -> rate; the first rate is the one before any schedule
    restarts: from the first rate, where another schedule came before
    """

    def __init__(self, optimizer, last_epoch, change, restarts=True):
        self.optimizer, self.change, self.restarts = optimizer, lambda step, rate, first: rate, restarts
        super().__init__(first_rate(optimizer), last_epoch)
        self.change, self.last_lr = change, optimizer.get_lr()
        self.last_lr = self.get_lr()
        optimizer.set_lr_scheduler(self)

    def get_lr(self):
        return self.change(self.last_epoch, self.last_lr, self.base_lr)

    def step(self, epoch=None):
        """torch's step of an epoch that is given reckons from the first rate, where that is a schedule's habit."""
        if epoch is None or not self.restarts:
            return super().step(epoch)
        self.last_epoch, self.last_lr = epoch, self.base_lr
        for step in range(int(epoch) + 1):
            self.last_lr = self.change(step, self.last_lr, self.base_lr)


def after_steps(optimizer, step_size, gamma=0.1, last_epoch=-1):
    return RateAfterRate(
        optimizer, last_epoch, lambda step, rate, first: rate if step == 0 or step % step_size else rate * gamma
    )


def at_milestones(optimizer, milestones, gamma=0.1, last_epoch=-1):
    milestones = list(milestones)
    return RateAfterRate(optimizer, last_epoch, lambda step, rate, first: rate * gamma ** milestones.count(step))


def by_function(optimizer, lr_lambda, last_epoch=-1):
    return RateAfterRate(optimizer, last_epoch, lambda step, rate, first: first * lr_lambda(step))


def by_factors(optimizer, lr_lambda, last_epoch=-1):
    return RateAfterRate(
        optimizer, last_epoch, lambda step, rate, first: rate * lr_lambda(step) if step else rate, restarts=False
    )


def exponential(optimizer, gamma, last_epoch=-1):
    return RateAfterRate(optimizer, last_epoch, lambda step, rate, first: rate * gamma if step else rate)


def cosine(optimizer, T_max, eta_min=0.0, last_epoch=-1):
    def change(step, rate, first):
        if step == 0:
            return rate
        if (step - 1 - T_max) % (2 * T_max) == 0:
            return rate + (first - eta_min) * (1 - math.cos(math.pi / T_max)) / 2
        share = (1 + math.cos(math.pi * step / T_max)) / (1 + math.cos(math.pi * (step - 1) / T_max))
        return share * (rate - eta_min) + eta_min

    return RateAfterRate(optimizer, last_epoch, change)


def linear(optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
    def change(step, rate, first):
        if step == 0:
            return rate * start_factor
        if step > total_iters:
            return rate
        each = end_factor - start_factor
        return rate * (1.0 + each / (total_iters * start_factor + (step - 1) * each))

    return RateAfterRate(optimizer, last_epoch, change)


def held_then_free(optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
    def change(step, rate, first):
        if step == 0:
            return rate * factor
        return rate / factor if step == total_iters else rate

    return RateAfterRate(optimizer, last_epoch, change)


def polynomial(optimizer, total_iters=5, power=1.0, last_epoch=-1):
    def change(step, rate, first):
        if step == 0 or step > total_iters:
            return rate
        return rate * ((1.0 - step / total_iters) / (1.0 - (step - 1) / total_iters)) ** power

    return RateAfterRate(optimizer, last_epoch, change)


def towards_average(optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
    def share(step):
        share = max(0.0, min(1.0, step / max(1, anneal_epochs)))
        return (1 - math.cos(math.pi * share)) / 2 if anneal_strategy == "cos" else share

    def change(step, rate, first):
        step = max(1, step) if anneal_epochs == 0 else step
        before, now = share(step - 1), share(step)
        start = swa_lr if before == 1 else (rate - before * swa_lr) / (1 - before)
        return swa_lr * now + start * (1 - now)

    return RateAfterRate(optimizer, last_epoch, change)


def first_rate(optimizer):
    """That of one group, or of an optimizer with one rate, before any schedule: the first one keeps it."""
    if isinstance(optimizer, RateOfGroup):
        return optimizer.first
    (group, *_) = param_groups(optimizer)
    return group.setdefault("initial_lr", optimizer.get_lr())


class RateOfGroup:
    """What a schedule asks an optimizer for. first: the rate before any schedule."""

    def __init__(self, optimizer, rate, first):
        self.optimizer, self.rate, self.first = optimizer, rate, first

    def get_lr(self):
        return self.rate

    def set_lr_scheduler(self, scheduler):
        pass

    def __getattr__(self, name):
        return getattr(self.optimizer, name)


class ScheduleOfGroups(paddle.optimizer.lr.LRScheduler):
    """A schedule for each group, all stepped together; the optimizer's own rate stays 1.

    Those of a program's own optimizer have their rates themselves.
    """

    def __init__(self, optimizer, make):
        self.optimizer, own = optimizer, getattr(optimizer, "has_torchs_groups", False)
        self.key = "lr" if own else "learning_rate"
        rates = [group["lr"] if own else optimizer.get_lr() * group.get(self.key, 1.0) for group in self.groups]
        first = [group.setdefault("initial_lr", rate) for group, rate in zip(self.groups, rates, strict=True)]
        self.schedules = [make(RateOfGroup(optimizer, rates[i], first[i]), i) for i in range(len(rates))]
        super().__init__(1.0)
        optimizer.set_lr_scheduler(self)
        self.apply()

    @property
    def __class__(self):
        """As of its schedules: ``isinstance`` tells those that go by a metric."""
        own = self.__dict__.get("schedules")
        return type(own[0]) if own else ScheduleOfGroups

    @property
    def groups(self):
        """As they are now: loading a state makes others."""
        return self.optimizer._param_groups

    def apply(self):
        for group, schedule in zip(self.groups, self.schedules, strict=True):
            group[self.key] = schedule.last_lr
            for parameter in group["params"]:
                parameter.optimize_attr["learning_rate"] = schedule.last_lr

    def get_lr(self):
        return 1.0

    def step(self, *args, **kwargs):
        if hasattr(self, "base_lr") and self.last_epoch >= 0:
            self.schedules += [copy.copy(self.schedules[-1]) for _ in self.groups[len(self.schedules) :]]  # added since
            for group, schedule in zip(self.groups, self.schedules, strict=True):
                schedule.last_lr = group[self.key]
                schedule.step(*args, **kwargs)
            self.apply()
            self.last_epoch = self.schedules[0].last_epoch
        else:
            self.last_epoch += 1
        self.last_lr = 1.0

    def state_dict(self):
        return {"last_epoch": self.last_epoch, "schedules": [one.state_dict() for one in self.schedules]}

    def set_state_dict(self, state_dict):
        self.last_epoch = state_dict["last_epoch"]
        for schedule, state in zip(self.schedules, state_dict["schedules"], strict=True):
            schedule.set_state_dict(state)
        self.apply()


def in_common(schedule, optimizer):
    """A schedule whose steps begin at the optimizer's rate, which another may have changed, and change that."""
    own_step = schedule.step

    def step(*args, **kwargs):
        schedule.last_lr = optimizer.get_lr()
        own_step(*args, **kwargs)
        optimizer._learning_rate.last_lr = schedule.last_lr

    schedule.step = step
    return schedule


def scheduled(make, optimizer, *args, **kwargs):
    """A schedule of torch's constructor, for each group where there are several."""
    own = getattr(optimizer, "has_torchs_groups", False)
    groups = [group for group in optimizer._param_groups if isinstance(group, dict)]
    if not own and all(group.get("learning_rate", 1.0) == 1.0 for group in groups) and len(groups) < 2:
        return in_common(make(optimizer, *args, **kwargs), optimizer)
    each = {"lr_lambda", "max_lr", "min_lr", "base_lr", "max_momentum", "base_momentum", "swa_lr"}

    def make_one(rate, index):
        listed = make in (by_function, by_factors, towards_average)
        own = [a[index] if isinstance(a, (list, tuple)) and listed else a for a in args]
        words = {k: v[index] if k in each and isinstance(v, (list, tuple)) else v for k, v in kwargs.items()}
        return make(rate, *own, **words)

    return ScheduleOfGroups(optimizer, make_one)


@family("StepLR MultiStepLR LambdaLR MultiplicativeLR", "after at by by", "steps milestones function factors")
@rule("torch.optim.lr_scheduler.StepLR:groups")
def StepLR_of_groups(optimizer, *args, **kwargs):
    return scheduled(after_steps, optimizer, *args, **kwargs)


@family("ExponentialLR CosineAnnealingLR LinearLR PolynomialLR", "exponential cosine linear polynomial")
@rule("torch.optim.lr_scheduler.ExponentialLR:groups")
def ExponentialLR_of_groups(optimizer, *args, **kwargs):
    return scheduled(exponential, optimizer, *args, **kwargs)


@rule("torch.optim.swa_utils.SWALR:groups")
def SWALR_of_groups(optimizer, *args, **kwargs):
    return scheduled(towards_average, optimizer, *args, **kwargs)


@rule("torch.optim.lr_scheduler.ConstantLR:groups")
def ConstantLR_of_groups(optimizer, *args, **kwargs):
    return scheduled(held_then_free, optimizer, *args, **kwargs)


alias(torch.optim.lr_scheduler._LRScheduler, "paddle.optimizer.lr.LRScheduler")
