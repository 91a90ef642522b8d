"""torch.optim.lr_scheduler: schedules that go in cycles or wait for a plateau."""

import math

import paddle
import torch

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.optim.lr_scheduler.schedules import scheduled


class WarmRestarts(paddle.optimizer.lr.CosineAnnealingWarmRestarts):
    """Its state has the place in the cycle, which Paddle's own forgets: a run that goes on from one begins it anew."""

    def state_keys(self):
        self.keys = ["last_epoch", "last_lr", "T_cur", "T_i"]


@rule(torch.optim.lr_scheduler.CosineAnnealingWarmRestarts)
def CosineAnnealingWarmRestarts(optimizer, T_0, T_mult=1, eta_min=0, last_epoch=-1):
    scheduler = WarmRestarts(optimizer.get_lr(), T_0, T_mult=T_mult, eta_min=eta_min, last_epoch=last_epoch)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule(torch.optim.lr_scheduler.ReduceLROnPlateau)
def ReduceLROnPlateau(
    optimizer,
    mode="min",
    factor=0.1,
    patience=10,
    threshold=1e-4,
    threshold_mode="rel",
    cooldown=0,
    min_lr=0,
    eps=1e-08,
):
    scheduler = paddle.optimizer.lr.ReduceOnPlateau(
        optimizer.get_lr(),
        mode=mode,
        factor=factor,
        patience=patience,
        threshold=threshold,
        threshold_mode=threshold_mode,
        cooldown=cooldown,
        min_lr=min_lr,
        epsilon=eps,
    )
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


class CyclingOneCycleLR(paddle.optimizer.lr.OneCycleLR):
    """Cycles the momentum (or beta1) against the rate, as torch does unless told otherwise."""

    def __init__(self, optimizer, max_lr, total_steps, low, high, **options):
        self.optimizer, self.low, self.high = optimizer, low, high
        super().__init__(max_lr, total_steps, **options)

    def get_lr(self):
        rate = super().get_lr()
        phases = self._step_config[1:] if hasattr(self, "_step_config") else None
        if phases is not None:
            self.set_momentum(self.momentum_at(self.last_epoch))
        return rate

    def momentum_at(self, step):
        ends = self._step_config
        pairs = [(self.high, self.low), (self.low, self.high), (self.high, self.high)]
        if len(ends) < 5:  # two phases, and the last end once more
            pairs = [(self.high, self.low), (self.low, self.high)]
        for index, (start, end) in enumerate(pairs):
            if step <= ends[index + 1] or index == len(pairs) - 1:
                share = (step - ends[index]) / (ends[index + 1] - ends[index])
                return self.anneal_func(start, end, share)
        return self.high

    def set_momentum(self, value):
        if getattr(self.optimizer, "has_torchs_groups", False):
            raise NotImplementedError("the momentum of the program's own optimizer: give cycle_momentum=False")
        if type(getattr(self.optimizer, "optimizer", self.optimizer)) is paddle.optimizer.SGD:
            raise NotImplementedError(
                "torch gives SGD the cycled momentum: make it with momentum=0.9, or cycle_momentum=False"
            )
        name = "_momentum" if hasattr(self.optimizer, "_momentum") else "_beta1"
        setattr(self.optimizer, name, value)
        if name == "_beta1":
            self.correct_bias(value)
        for group in self.optimizer._param_groups:
            if isinstance(group, dict):
                group[name[1:]] = value

    def correct_bias(self, beta1):
        """torch divides by 1 - beta1 ** step with the present beta1, Paddle by the product of those that were."""
        held = self.optimizer._accumulators
        first, second = held.get("beta1_pow_acc", {}), held.get("beta2_pow_acc", {})
        for name, power in first.items():
            left = second[name].item()
            power.fill_(beta1 ** round(math.log(left) / math.log(self.optimizer._beta2)) if left > 0 else 0.0)


@rule(torch.optim.lr_scheduler.OneCycleLR)
def OneCycleLR(
    optimizer,
    max_lr,
    total_steps=None,
    epochs=None,
    steps_per_epoch=None,
    pct_start=0.3,
    anneal_strategy="cos",
    cycle_momentum=True,
    base_momentum=0.85,
    max_momentum=0.95,
    div_factor=25.0,
    final_div_factor=1e4,
    three_phase=False,
    last_epoch=-1,
):
    if cycle_momentum:
        scheduler = CyclingOneCycleLR(
            optimizer,
            max_lr,
            epochs * steps_per_epoch if total_steps is None else total_steps,
            base_momentum,
            max_momentum,
            divide_factor=div_factor,
            end_learning_rate=max_lr / div_factor / final_div_factor,
            phase_pct=pct_start,
            anneal_strategy=anneal_strategy,
            three_phase=three_phase,
            last_epoch=last_epoch,
        )
        optimizer.set_lr_scheduler(scheduler)
        return scheduler
    scheduler = paddle.optimizer.lr.OneCycleLR(
        max_lr,
        epochs * steps_per_epoch if total_steps is None else total_steps,
        divide_factor=div_factor,
        end_learning_rate=max_lr / div_factor / final_div_factor,
        phase_pct=pct_start,
        anneal_strategy=anneal_strategy,
        three_phase=three_phase,
        last_epoch=last_epoch,
    )
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule(torch.optim.lr_scheduler.CyclicLR)
def CyclicLR(
    optimizer,
    base_lr,
    max_lr,
    step_size_up=2000,
    step_size_down=None,
    mode="triangular",
    gamma=1.0,
    scale_fn=None,
    scale_mode="cycle",
    cycle_momentum=True,
    base_momentum=0.8,
    max_momentum=0.9,
    last_epoch=-1,
):
    if cycle_momentum:
        raise NotImplementedError("Paddle's CyclicLR does not cycle the momentum; pass cycle_momentum=False")
    scheduler = paddle.optimizer.lr.CyclicLR(
        base_lr,
        max_lr,
        step_size_up,
        step_size_down=step_size_down,
        mode=mode,
        exp_gamma=gamma,
        scale_fn=scale_fn,
        scale_mode=scale_mode,
        last_epoch=last_epoch,
    )
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@family("CosineAnnealingWarmRestarts ReduceLROnPlateau OneCycleLR CyclicLR")
@rule("torch.optim.lr_scheduler.CosineAnnealingWarmRestarts:groups")
def CosineAnnealingWarmRestarts_of_groups(optimizer, *args, **kwargs):
    return scheduled(CosineAnnealingWarmRestarts, optimizer, *args, **kwargs)
