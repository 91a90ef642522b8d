"""torch.nn.utils: gradients cut to a norm or a value."""

import oneflow
import torch

from rewriters.rule import becomes, rule

becomes(
    torch.nn.utils.clip_grad_norm_,
    torch.nn.utils.clip_grad_norm,
    oneflow.nn.utils.clip_grad_norm_,
    norm_type="/",
    error_if_nonfinite="/",
    foreach=None,
)
becomes(torch.nn.utils.clip_grad_value_, oneflow.nn.utils.clip_grad_value_, foreach=None)


@rule(torch.nn.utils.get_total_norm)
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    if error_if_nonfinite:
        raise NotImplementedError("ask for oneflow.isfinite(norm) yourself; pass error_if_nonfinite=False")
    flat = oneflow.cat([tensor.detach().reshape(-1) for tensor in tensors])
    return oneflow.linalg.vector_norm(flat, ord=norm_type)


@rule(torch.nn.utils.clip_grads_with_norm_)
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    factor = oneflow.clamp(max_norm / (total_norm + 1e-6), max=1.0)
    for parameter in [parameters] if isinstance(parameters, oneflow.Tensor) else parameters:
        if parameter.grad is not None:
            parameter.grad.mul_(factor)
