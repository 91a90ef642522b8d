"""torch.nn.utils: gradients cut to a norm or a value."""

import paddle
import torch

from rewriters.rule import becomes, rule

becomes(torch.nn.utils.clip_grad_value_, paddle.nn.utils.clip_grad_value_, foreach=None)


@rule(torch.nn.utils.clip_grad_norm_, torch.nn.utils.clip_grad_norm)
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    if norm_type == 1 or norm_type == 2 or norm_type == float("inf"):
        return paddle.nn.utils.clip_grad_norm_(
            parameters, max_norm, norm_type=norm_type, error_if_nonfinite=error_if_nonfinite
        )
    # Paddle's takes no other norm
    parameters = [parameters] if isinstance(parameters, paddle.Tensor) else list(parameters)
    total = norm_of_all([one.grad for one in parameters if one.grad is not None], norm_type)
    if error_if_nonfinite and not bool(paddle.isfinite(total)):
        raise RuntimeError(f"The total norm of order {norm_type} for gradients is non-finite, so it cannot be clipped")
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def norm_of_all(tensors, norm_type):
    tensors = [tensors] if isinstance(tensors, paddle.Tensor) else list(tensors)
    if not tensors:
        return paddle.zeros([])
    return paddle.linalg.norm(paddle.stack([paddle.linalg.norm(tensor, norm_type) for tensor in tensors]), norm_type)


@rule(torch.nn.utils.get_total_norm)
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    if error_if_nonfinite:
        raise NotImplementedError("ask for paddle.isfinite(norm) yourself; pass error_if_nonfinite=False")
    return norm_of_all(tensors, norm_type)


@rule(torch.nn.utils.clip_grads_with_norm_)
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    factor = (max_norm / (total_norm + 1e-6)).clip(max=1.0)
    for parameter in [parameters] if isinstance(parameters, paddle.Tensor) else parameters:
        if parameter.grad is not None:
            parameter.grad.multiply_(factor)
