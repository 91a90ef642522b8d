"""What averages models beside AveragedModel: functions of many parameters, the statistics of batch norms anew."""

import paddle
import torch

from rewriters.rule import rule


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
