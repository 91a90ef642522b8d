"""torch.optim: averaged models and their schedules."""

import copy
import math

import paddle
import torch

from rewriters.rule import rule, same


# Averages of a model's parameters.
@rule(torch.optim.swa_utils.AveragedModel)
class AveragedModel(paddle.nn.Layer):
    """A copy of a model whose parameters are averages over the steps."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = copy.deepcopy(model)
        self.register_buffer("n_averaged", paddle.zeros([], dtype="int64"))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    @paddle.no_grad()
    def update_parameters(self, model):
        count = int(self.n_averaged)
        pairs = list(zip(self.module.parameters(), model.parameters(), strict=True))
        buffers = list(zip(self.module.buffers(), model.buffers(), strict=True))
        averaged = [*pairs, *(buffers if self.use_buffers else [])]
        if count and self.multi_avg_fn is not None:
            self.multi_avg_fn([own for own, _ in averaged], [new.detach() for _, new in averaged], self.n_averaged)
            averaged = []
        for own, new in averaged:
            if count == 0:
                own.set_value(new.detach())
            elif self.avg_fn is not None:
                own.set_value(self.avg_fn(own.detach(), new.detach(), count).astype(own.dtype))
            else:
                own.set_value((own + (new.detach() - own) / (count + 1)).astype(own.dtype))
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
    if last_epoch != -1:
        raise NotImplementedError("load the schedule's state instead of passing last_epoch")
    scheduler = AveragingRate(optimizer.get_lr(), swa_lr, anneal_epochs, anneal_strategy)
    optimizer.set_lr_scheduler(scheduler)
    return scheduler


@rule(torch.optim.swa_utils.get_ema_multi_avg_fn)
def get_ema_multi_avg_fn(decay=0.999):
    def average(ema_param_list, current_param_list, _):
        for own, new in zip(ema_param_list, current_param_list, strict=True):
            own.set_value(decay * own.detach() + (1 - decay) * new.detach())

    return average


@rule(torch.optim.swa_utils.get_swa_multi_avg_fn)
def get_swa_multi_avg_fn():
    def average(averaged_param_list, current_param_list, num_averaged):
        for own, new in zip(averaged_param_list, current_param_list, strict=True):
            own.set_value(own.detach() + (new.detach() - own.detach()) / (num_averaged + 1))

    return average


@rule(torch.optim.swa_utils.update_bn)
def update_bn(loader, model, device=None):
    """The statistics of batch norms as means over the data; Paddle's variances are not corrected by n / (n - 1)."""
    norms = [
        layer
        for layer in model.sublayers(include_self=True)
        if isinstance(getattr(layer, "_mean", None), paddle.Tensor)
    ]
    if not norms:
        return
    training, momenta = model.training, [layer._momentum for layer in norms]
    for layer in norms:
        layer._mean.set_value(paddle.zeros_like(layer._mean))
        layer._variance.set_value(paddle.ones_like(layer._variance))
    model.train()
    with paddle.no_grad():
        for count, batch in enumerate(loader):
            for layer in norms:
                layer._momentum = count / (count + 1)
            batch = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(batch if device is None else batch.to(device))
    for layer, momentum in zip(norms, momenta, strict=True):
        layer._momentum = momentum
    model.train() if training else model.eval()
