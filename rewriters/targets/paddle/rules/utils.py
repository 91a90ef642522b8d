"""torch.nn.utils and torch.utils: gradients, vectors of parameters, weight and spectral norm, recomputation."""

import paddle
import torch

from rewriters.rule import rule, same

same("torch.nn.utils.parameters_to_vector", "torch.nn.utils.vector_to_parameters")


@rule(torch.nn.utils.clip_grad_norm_, torch.nn.utils.clip_grad_norm)
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return paddle.nn.utils.clip_grad_norm_(
        parameters, max_norm, norm_type=norm_type, error_if_nonfinite=error_if_nonfinite
    )


@rule(torch.nn.utils.clip_grad_value_)
def clip_grad_value_(parameters, clip_value, foreach=None):
    return paddle.nn.utils.clip_grad_value_(parameters, clip_value)


def norm_of_all(tensors, norm_type):
    tensors = [tensors] if isinstance(tensors, paddle.Tensor) else list(tensors)
    if not tensors:
        return paddle.zeros([])
    return paddle.linalg.norm(paddle.stack([paddle.linalg.norm(tensor, norm_type) for tensor in tensors]), norm_type)


@rule(torch.nn.utils.get_total_norm)
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return norm_of_all(tensors, norm_type)


@rule(torch.nn.utils.clip_grads_with_norm_)
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    factor = (max_norm / (total_norm + 1e-6)).clip(max=1.0)
    for parameter in [parameters] if isinstance(parameters, paddle.Tensor) else parameters:
        if parameter.grad is not None:
            parameter.grad.multiply_(factor)


def axis_in_paddle(module, dim):
    """A Linear's weight is transposed."""
    return 1 - dim if isinstance(module, paddle.nn.Linear) and dim is not None else dim


@rule(torch.nn.utils.weight_norm, torch.nn.utils.parametrizations.weight_norm)
def weight_norm(module, name="weight", dim=0):
    return paddle.nn.utils.weight_norm(module, name=name, dim=axis_in_paddle(module, dim))


# Chosen by passes.py for a convolution, whose weight is laid out as torch's.


@rule("torch.nn.utils.weight_norm:convolution")
def weight_norm_of_convolution(module, name="weight", dim=0):
    return paddle.nn.utils.weight_norm(module, name=name, dim=dim)


@rule(torch.nn.utils.remove_weight_norm)
def remove_weight_norm(module, name="weight"):
    return paddle.nn.utils.remove_weight_norm(module, name=name)


@rule(torch.nn.utils.spectral_norm, torch.nn.utils.parametrizations.spectral_norm)
def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    # without dim Paddle takes the axis of the outputs, as torch does
    return paddle.nn.utils.spectral_norm(module, name=name, n_power_iterations=n_power_iterations, eps=eps, dim=dim)


@rule(torch.nn.utils.skip_init)
def skip_init(module_cls, *args, **kwargs):
    return module_cls(*args, **kwargs)


@rule(torch.nn.modules.utils.consume_prefix_in_state_dict_if_present)
def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)


@rule(torch.utils.set_module)
def set_module(obj, mod):
    obj.__module__ = mod


@rule(torch.utils.checkpoint.checkpoint)
def checkpoint(function, *args, use_reentrant=False, preserve_rng_state=True, determinism_check="default", **kwargs):
    return paddle.distributed.fleet.utils.recompute(
        function, *args, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state, **kwargs
    )


@rule(torch.utils.checkpoint.checkpoint_sequential)
def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    return paddle.incubate.distributed.fleet.recompute_sequential({"segments": segments}, functions, input)
