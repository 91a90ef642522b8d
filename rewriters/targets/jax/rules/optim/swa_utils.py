"""torch.optim.swa_utils: averaged models and their schedule."""

import copy
import math

import jax.numpy as jnp
import torch

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.nn.modules.batchnorm import BatchNorm
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.parameter import Buffer
from rewriters.targets.jax.rules.optim.lr_scheduler.schedules import LRScheduler

same("torch.optim.swa_utils.AveragedModel.update_parameters")


@rule(torch.optim.swa_utils.get_ema_avg_fn)
def get_ema_avg_fn(decay=0.999):
    return lambda ema, current, count: decay * ema + (1 - decay) * current


@rule(torch.optim.swa_utils.get_swa_avg_fn)
def get_swa_avg_fn():
    return lambda average, current, count: average + (current - average) / (count + 1)


def averaging_each(average):
    """The function of lists of parameters, whose values it sets."""

    def each(averaged_param_list, current_param_list, count):
        for own, new in zip(averaged_param_list, current_param_list, strict=True):
            own.set_value(average(own[...], new[...], count))

    return each


@rule(torch.optim.swa_utils.get_ema_multi_avg_fn)
def get_ema_multi_avg_fn(decay=0.999):
    return averaging_each(get_ema_avg_fn(decay))


@rule(torch.optim.swa_utils.get_swa_multi_avg_fn)
def get_swa_multi_avg_fn():
    return averaging_each(get_swa_avg_fn())


@rule(torch.optim.swa_utils.AveragedModel)
class AveragedModel(Module):
    """A copy of a model whose parameters are averages over the steps."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model)
        self.n_averaged = Buffer(jnp.zeros((), jnp.int64))
        self.average = multi_avg_fn or averaging_each(avg_fn or get_swa_avg_fn())
        self.use_buffers = use_buffers

    def __call__(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        own, new = list(self.module.parameters()), list(model.parameters())
        own_buffers, new_buffers = list(self.module.buffers()), list(model.buffers())
        if self.use_buffers:
            own, new = own + own_buffers, new + new_buffers
        count = int(self.n_averaged[...])
        if count == 0:
            for one, other in zip(own, new, strict=True):
                one.set_value(other[...])
        else:
            self.average(own, new, count)
        if not self.use_buffers:
            for one, other in zip(own_buffers, new_buffers, strict=True):
                one.set_value(other[...])
        self.n_averaged.set_value(self.n_averaged[...] + 1)


@rule(torch.optim.swa_utils.SWALR)
class SWALR(LRScheduler):
    """From the optimizer's rates to those of the averaging."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        groups = optimizer.param_groups
        rates = swa_lr if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(groups)
        for group, rate in zip(groups, rates, strict=True):
            group["swa_lr"] = rate
        self.anneal_epochs, self.anneal_strategy = anneal_epochs, anneal_strategy
        super().__init__(optimizer, last_epoch)

    def share(self, step):
        share = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * share)) / 2 if self.anneal_strategy == "cos" else share

    def get_lr(self):
        step = self._step_count - 1
        step = max(1, step) if self.anneal_epochs == 0 else step
        before, now = self.share(step - 1), self.share(step)
        found = []
        for group in self.optimizer.param_groups:
            first = group["swa_lr"] if before == 1 else (group["lr"] - before * group["swa_lr"]) / (1 - before)
            found.append(group["swa_lr"] * now + first * (1 - now))
        return found


@rule(torch.optim.swa_utils.update_bn)
def update_bn(loader, model, device=None):
    """The statistics of batch norms as means over the data."""
    norms = [layer for layer in model.modules() if isinstance(layer, BatchNorm) and layer.mean is not None]
    if not norms:
        return
    training, momenta = model.training, [layer.momentum for layer in norms]
    for layer in norms:
        layer.mean.set_value(jnp.zeros_like(layer.mean[...]))
        layer.var.set_value(jnp.ones_like(layer.var[...]))
    model.train()
    for count, batch in enumerate(loader):
        for layer in norms:
            layer.momentum = 1 / (count + 1)
        model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for layer, momentum in zip(norms, momenta, strict=True):
        layer.momentum = momentum
    model.train(training)
