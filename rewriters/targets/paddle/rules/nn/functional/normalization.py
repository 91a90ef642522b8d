"""torch.nn.functional: normalization. Paddle's momentum is what is kept, torch's what is added."""

import paddle
import torch

from rewriters.rule import Rank, rule
from rewriters.targets.paddle.rules.products import wanting


def norm_by_batch(x, weight, bias, eps):
    """Paddle's own wants running statistics even where it does not use them."""
    shape = [1, -1] + [1] * (x.ndim - 2)
    axes = [axis for axis in range(x.ndim) if axis != 1]
    centred = x - x.mean(axis=axes, keepdim=True)
    normed = centred * paddle.rsqrt((centred * centred).mean(axis=axes, keepdim=True) + eps)
    normed = normed if weight is None else normed * weight.reshape(shape)
    return normed if bias is None else normed + bias.reshape(shape)


def taking_gradient(parameter):
    """Where it takes none, one in the same memory that does."""
    if parameter is None or not parameter.stop_gradient:
        return parameter
    parameter = parameter.detach()
    parameter.stop_gradient = False
    return parameter


def with_gradients(weight, bias):
    """Paddle's functions give neither a gradient unless both take one: what takes none gets one that nobody reads."""
    if weight is None and bias is None:
        return None, None
    if weight is not None and bias is not None and weight.stop_gradient == bias.stop_gradient:
        return weight, bias
    weight = paddle.ones_like(bias) if weight is None else weight
    bias = paddle.zeros_like(weight) if bias is None else bias
    return taking_gradient(weight), taking_gradient(bias)


def norm_by_statistics(x, mean, variance, weight, bias, eps):
    """Paddle's own, with a gradient for each of weight and bias alone."""
    weight, bias = with_gradients(weight, bias)
    return paddle.nn.functional.batch_norm(x, mean, variance, weight=weight, bias=bias, epsilon=eps)


def norm_of_each(x, weight, bias, eps):
    """Paddle's own, with a gradient for each of weight and bias alone."""
    if weight is not None and bias is None:
        return paddle.nn.functional.instance_norm(x, eps=eps) * weight.reshape([1, -1] + [1] * (x.ndim - 2))
    weight, bias = with_gradients(weight, bias)
    x = wanting(x, weight, bias)
    return paddle.nn.functional.instance_norm(x, weight=weight, bias=bias, eps=eps)


def norm_and_keep(x, mean, variance, weight, bias, momentum, eps):
    """Paddle's own keeps the biased variance, torch keeps n / (n - 1) of it."""
    new_mean, new_variance, count = mean.clone(), variance.clone(), x.size // x.shape[1]
    weight, bias = with_gradients(weight, bias)
    normed = paddle.nn.functional.batch_norm(
        x, new_mean, new_variance, weight=weight, bias=bias, training=True, momentum=1 - momentum, epsilon=eps
    )
    with paddle.no_grad():
        rest = (1 - momentum) * variance
        paddle.assign(new_mean, mean)
        paddle.assign(rest + (new_variance - rest) * (count / (count - 1)), variance)
    return normed


@rule(torch.nn.functional.batch_norm)
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    if not training:
        if weight is None and bias is None:
            return paddle.nn.functional.batch_norm(input, running_mean, running_var, epsilon=eps)
        return norm_by_statistics(input, running_mean, running_var, weight, bias, eps)
    if running_mean is None:
        return norm_by_batch(input, weight, bias, eps)
    return norm_and_keep(input, running_mean, running_var, weight, bias, momentum, eps)


def norm_of_instances(x, mean, variance, weight, bias, of_input, momentum, eps):
    """Paddle's own knows no running statistics."""
    if of_input:
        axes = list(range(2, x.ndim))
        with paddle.no_grad():
            paddle.assign((1 - momentum) * mean + momentum * x.mean(axis=axes).mean(axis=0), mean)
            paddle.assign((1 - momentum) * variance + momentum * x.var(axis=axes).mean(axis=0), variance)
        return norm_of_each(x, weight, bias, eps)
    return norm_by_statistics(x, mean, variance, weight, bias, eps)


@rule(torch.nn.functional.instance_norm)
def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-05,
):
    if running_mean is not None:
        return norm_of_instances(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)
    if weight is None and bias is None:
        return paddle.nn.functional.instance_norm(input, eps=eps)
    return norm_of_each(input, weight, bias, eps)


def scaled(normed, weight, bias):
    """Weight and bias outside of Paddle's layer_norm, which hands on a wrong gradient where nobody asks for theirs."""
    normed = normed if weight is None else normed * weight
    return normed if bias is None else normed + bias


def norm_over_axes(x, shape, weight, bias, eps):
    """Paddle's weight and bias are flat, one axis at least stands before those that are normalized, eps is small."""
    if not 0 <= eps <= 1e-3:
        axes = list(range(-len(shape), 0))
        centred = x - x.mean(axis=axes, keepdim=True)
        normed = centred * paddle.rsqrt((centred * centred).mean(axis=axes, keepdim=True) + eps)
        return scaled(normed, weight, bias)
    whole = x.ndim == len(shape)
    x = x.unsqueeze(0) if whole else x
    weight = None if weight is None else weight.flatten()
    bias = None if bias is None else bias.flatten()
    normed = paddle.nn.functional.layer_norm(x, list(shape), weight=weight, bias=bias, epsilon=eps)
    return normed.squeeze(0) if whole else normed


@rule(torch.nn.functional.layer_norm, torch.layer_norm)
def layer_norm(input: Rank[1], normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True):
    return paddle.nn.functional.layer_norm(
        input.unsqueeze(0), normalized_shape, weight=weight, bias=bias, epsilon=eps
    ).squeeze(0)


@rule(torch.nn.functional.layer_norm, torch.layer_norm)
def layer_norm(input, normalized_shape: list | tuple, weight=None, bias=None, eps=1e-05, cudnn_enable=True):
    if len(normalized_shape) > 1:
        return norm_over_axes(input, normalized_shape, weight, bias, eps)
    return paddle.nn.functional.layer_norm(input, normalized_shape, weight=weight, bias=bias, epsilon=eps)


@rule(torch.nn.functional.layer_norm, torch.layer_norm)
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True):
    return paddle.nn.functional.layer_norm(input, normalized_shape, weight=weight, bias=bias, epsilon=eps)


def plain_group_norm(x, num_groups, eps):
    """Without weight and bias Paddle's own has a wrong gradient."""
    one, zero = paddle.ones([x.shape[1]], dtype=x.dtype), paddle.zeros([x.shape[1]], dtype=x.dtype)
    return paddle.nn.functional.group_norm(x, num_groups, epsilon=eps, weight=one, bias=zero)


@rule(torch.nn.functional.group_norm)
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    if weight is None and bias is None:
        return plain_group_norm(input, num_groups, eps)
    if weight is None:  # then Paddle's own leaves the bias out
        return plain_group_norm(input, num_groups, eps) + bias.reshape([-1] + [1] * (input.ndim - 2))
    return paddle.nn.functional.group_norm(input, num_groups, epsilon=eps, weight=weight, bias=bias)


def root_mean_square_norm(x, shape, weight, eps):
    """Paddle's own rms_norm runs on GPUs only."""
    eps = paddle.finfo(x.dtype).eps if eps is None else eps
    axes = list(range(-len(shape), 0))
    normed = x * paddle.rsqrt(paddle.mean(x * x, axis=axes, keepdim=True) + eps)
    return normed if weight is None else normed * weight


@rule(torch.nn.functional.rms_norm)
def rms_norm(input, normalized_shape, weight=None, eps=None):
    return root_mean_square_norm(input, normalized_shape, weight, eps)


@rule(torch.nn.functional.local_response_norm)
def local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    return paddle.nn.functional.local_response_norm(input, size, alpha=alpha, beta=beta, k=k)


@rule(torch.nn.functional.normalize)
def normalize(input: Rank[0], p=2.0, dim=0, eps=1e-12):
    # Paddle's own gives a tensor without an axis one, and what memory held
    return input / input.abs().clip(min=eps)


@rule(torch.nn.functional.normalize)
def normalize(input, p=2.0, *, dim: list | tuple, eps=1e-12):
    # Paddle's own takes one axis
    return input / paddle.linalg.vector_norm(input, p, axis=dim, keepdim=True).clip(min=eps)


@rule(torch.nn.functional.normalize)
def normalize(input, p=2.0, dim=1, eps=1e-12):
    if eps > 1e-5:  # which Paddle's own gradient has in it
        return input / paddle.linalg.vector_norm(input, p, axis=dim, keepdim=True).clip(min=eps)
    return paddle.nn.functional.normalize(input, p=p, axis=dim, epsilon=eps)


@rule("torch.nn.functional.layer_norm:frozen", "torch.layer_norm:frozen")
def layer_norm_of_frozen(input, normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True):
    return scaled(norm_over_axes(input, normalized_shape, None, None, eps), weight, bias)
