"""Schedules of the learning rate: each step computes the next rate of every group from the last, as torch's do."""

import math
from bisect import bisect_right
from collections import Counter

import torch

from rewriters.rule import rule, same

same(
    "torch.optim.lr_scheduler.LRScheduler.step", "torch.optim.lr_scheduler.LRScheduler.state_dict",
    "torch.optim.lr_scheduler.LRScheduler.load_state_dict", "torch.optim.lr_scheduler.LRScheduler.get_last_lr",
    "torch.optim.lr_scheduler.ReduceLROnPlateau.step", "torch.optim.lr_scheduler.ReduceLROnPlateau.get_last_lr",
)  # fmt: skip


@rule(torch.optim.lr_scheduler.LRScheduler, "torch.optim.lr_scheduler._LRScheduler")
class LRScheduler:
    """``get_lr`` gives the rates of the groups after ``last_epoch`` steps."""

    def __init__(self, optimizer, last_epoch=-1):
        self.optimizer, self.last_epoch = optimizer, last_epoch
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{number}] when resuming an optimizer"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self._step_count = 0
        self.begin()

    def begin(self):
        self.step()

    def get_lr(self):
        raise NotImplementedError

    def rates(self):
        """The groups' rates now."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def step(self, epoch=None):
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed = epoch is not None and hasattr(self, "_get_closed_form_lr")
        values = self._get_closed_form_lr() if closed else self.get_lr()
        for group, rate in zip(self.optimizer.param_groups, values, strict=False):
            group["lr"] = rate
        self._last_lr = self.rates()

    def get_last_lr(self):
        return self._last_lr

    def state_dict(self):
        return {name: value for name, value in vars(self).items() if name != "optimizer" and not callable(value)}

    def load_state_dict(self, state_dict):
        vars(self).update(state_dict)


def factors(optimizer, given):
    """A function for each group."""
    count = len(optimizer.param_groups)
    found = list(given) if isinstance(given, (list, tuple)) else [given] * count
    if len(found) != count:
        raise ValueError(f"Expected {count} lr_lambdas, but got {len(found)}")
    return found


class OfFunctions(LRScheduler):
    """Rates by functions of the number of steps."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lr_lambdas = factors(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        found = super().state_dict()
        found["lr_lambdas"] = [None if hasattr(f, "__code__") else dict(vars(f)) for f in self.lr_lambdas]
        return found

    def load_state_dict(self, state_dict):
        given = dict(state_dict)
        for function, state in zip(self.lr_lambdas, given.pop("lr_lambdas"), strict=False):
            if state is not None:
                vars(function).update(state)
        super().load_state_dict(given)


@rule(torch.optim.lr_scheduler.LambdaLR)
class LambdaLR(OfFunctions):
    def get_lr(self):
        return [base * factor(self.last_epoch) for factor, base in zip(self.lr_lambdas, self.base_lrs, strict=False)]


@rule(torch.optim.lr_scheduler.MultiplicativeLR)
class MultiplicativeLR(OfFunctions):
    def get_lr(self):
        if self.last_epoch <= 0:
            return self.rates()
        return [rate * factor(self.last_epoch) for factor, rate in zip(self.lr_lambdas, self.rates(), strict=False)]


@rule(torch.optim.lr_scheduler.StepLR)
class StepLR(LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        falls = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return [rate * self.gamma if falls else rate for rate in self.rates()]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


@rule(torch.optim.lr_scheduler.MultiStepLR)
class MultiStepLR(LRScheduler):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch not in self.milestones:
            return self.rates()
        return [rate * self.gamma ** self.milestones[self.last_epoch] for rate in self.rates()]

    def _get_closed_form_lr(self):
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


@rule(torch.optim.lr_scheduler.ConstantLR)
class ConstantLR(LRScheduler):
    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1.0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return [rate * self.factor for rate in self.rates()]
        if self.last_epoch != self.total_iters:
            return self.rates()
        return [rate * (1.0 / self.factor) for rate in self.rates()]

    def _get_closed_form_lr(self):
        factor = 1.0 if self.last_epoch >= self.total_iters else self.factor
        return [base * factor for base in self.base_lrs]


@rule(torch.optim.lr_scheduler.LinearLR)
class LinearLR(LRScheduler):
    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1.0 or not 0 <= end_factor <= 1.0:
            raise ValueError("Multiplicative factors expected to be between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in self.rates()]
        if self.last_epoch > self.total_iters:
            return self.rates()
        rise = self.end_factor - self.start_factor
        factor = 1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise)
        return [rate * factor for rate in self.rates()]

    def _get_closed_form_lr(self):
        share = min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * (self.start_factor + (self.end_factor - self.start_factor) * share) for base in self.base_lrs]


@rule(torch.optim.lr_scheduler.ExponentialLR)
class ExponentialLR(LRScheduler):
    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self.rates() if self.last_epoch == 0 else [rate * self.gamma for rate in self.rates()]

    def _get_closed_form_lr(self):
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


@rule(torch.optim.lr_scheduler.PolynomialLR)
class PolynomialLR(LRScheduler):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0 or self.last_epoch > self.total_iters:
            return self.rates()
        left, before = (1.0 - step / self.total_iters for step in (self.last_epoch, self.last_epoch - 1))
        return [rate * (left / before) ** self.power for rate in self.rates()]

    def _get_closed_form_lr(self):
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]


@rule(torch.optim.lr_scheduler.CosineAnnealingLR)
class CosineAnnealingLR(LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        step, turn, least = self.last_epoch, self.T_max, self.eta_min
        if step == 0:
            return self.rates()
        if self._step_count == 1 and step > 0:
            return self._get_closed_form_lr()
        if (step - 1 - turn) % (2 * turn) == 0:
            rise = (1 - math.cos(math.pi / turn)) / 2
            return [rate + (base - least) * rise for base, rate in zip(self.base_lrs, self.rates(), strict=False)]
        ratio = (1 + math.cos(math.pi * step / turn)) / (1 + math.cos(math.pi * (step - 1) / turn))
        return [ratio * (rate - least) + least for rate in self.rates()]

    def _get_closed_form_lr(self):
        share = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


@rule(torch.optim.lr_scheduler.CosineAnnealingWarmRestarts)
class CosineAnnealingWarmRestarts(LRScheduler):
    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0, self.T_i, self.T_mult, self.eta_min, self.T_cur = T_0, T_0, T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        share = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]

    def step(self, epoch=None):
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        else:
            self.T_cur, self.T_i = epoch, self.T_0
            while self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        self.last_epoch = math.floor(epoch)
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=False):
            group["lr"] = rate
        self._last_lr = self.rates()
