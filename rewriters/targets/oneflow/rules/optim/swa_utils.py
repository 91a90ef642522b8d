"""torch.optim: averaged models."""

import copy

import oneflow
import torch

from rewriters.rule import rule, same


@rule(torch.optim.swa_utils.AveragedModel)
class AveragedModel(oneflow.nn.Module):
    """A copy of a model whose parameters are averages over the steps."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module.to(device)
        self.register_buffer("n_averaged", oneflow.tensor(0, dtype=oneflow.int64))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    @oneflow.no_grad()
    def update_parameters(self, model):
        count = int(self.n_averaged)
        # Python 3.7 has no zip(strict=True)
        pairs = list(zip(self.module.parameters(), model.parameters()))  # noqa: B905
        buffers = list(zip(self.module.buffers(), model.buffers()))  # noqa: B905
        averaged = [*pairs, *(buffers if self.use_buffers else [])]
        if count and self.multi_avg_fn is not None:
            own, new = [a for a, _ in averaged], [b.detach().to(a.device) for a, b in averaged]
            self.multi_avg_fn(own, new, self.n_averaged)
        else:
            average = self.avg_fn or averaged_over_steps
            for own, new in averaged:
                value = new.detach().to(own.device)
                own.copy_(average(own.detach(), value, self.n_averaged) if count else value)
        for own, new in [] if self.use_buffers else buffers:
            own.copy_(new.detach().to(own.device))
        self.n_averaged += 1


same("torch.optim.swa_utils.AveragedModel.update_parameters")


def averaged_over_steps(average, current, count):
    return average + (current - average) / (int(count) + 1)


@rule(torch.optim.swa_utils.get_ema_avg_fn)
def get_ema_avg_fn(decay=0.999):
    return lambda ema, current, count: decay * ema + (1 - decay) * current


@rule(torch.optim.swa_utils.get_swa_avg_fn)
def get_swa_avg_fn():
    return averaged_over_steps


@rule(torch.optim.swa_utils.get_ema_multi_avg_fn)
def get_ema_multi_avg_fn(decay=0.999):
    def average(ema_param_list, current_param_list, _):
        for own, new in zip(ema_param_list, current_param_list):  # noqa: B905
            own.copy_(decay * own.detach() + (1 - decay) * new.detach())

    return average


@rule(torch.optim.swa_utils.get_swa_multi_avg_fn)
def get_swa_multi_avg_fn():
    def average(averaged_param_list, current_param_list, num_averaged):
        for own, new in zip(averaged_param_list, current_param_list):  # noqa: B905
            own.copy_(averaged_over_steps(own.detach(), new.detach(), num_averaged))

    return average


@rule(torch.optim.swa_utils.update_bn)
def update_bn(loader, model, device=None):
    """The statistics of batch norms as means over the data."""
    norms = [m for m in model.modules() if "running_mean" in m._buffers and hasattr(m, "momentum")]
    if not norms:
        return
    training, momenta = model.training, [layer.momentum for layer in norms]
    for layer in norms:
        layer.reset_running_stats()
    model.train()
    with oneflow.no_grad():
        for count, batch in enumerate(loader):
            for layer in norms:
                layer.momentum = 1 / (count + 1)
            batch = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(batch if device is None else batch.to(device))
    for layer, momentum in zip(norms, momenta):  # noqa: B905
        layer.momentum = momentum
    model.train(training)
