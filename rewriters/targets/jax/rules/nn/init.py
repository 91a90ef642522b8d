"""torch.nn.init: what fills a parameter, which keeps its dtype."""

import math

import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.generator import rngs


def filled(tensor, value):
    """The parameter, which has these values now. A plain array has no place of its own: it cannot be filled."""
    if not hasattr(tensor, "set_value"):
        raise NotImplementedError("an array does not change: give torch.nn.init a parameter or a buffer of a module")
    tensor.set_value(jnp.broadcast_to(value, tensor.shape).astype(tensor.dtype))
    return tensor


def fans(tensor):
    """(fan_in, fan_out) of a weight in torch's layout."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


@rule(torch.nn.init.calculate_gain)
def calculate_gain(nonlinearity, param=None):
    slope = 0.01 if param is None else param
    known = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "leaky_relu": math.sqrt(2.0 / (1 + slope**2)), "selu": 0.75}
    return known.get(nonlinearity, 1)


@rule(torch.nn.init.uniform_)
def init_uniform_(tensor, a=0.0, b=1.0, generator=None):
    return filled(tensor, a + (b - a) * rngs.params.uniform(tensor.shape, jnp.float32))


@rule(torch.nn.init.normal_)
def init_normal_(tensor, mean=0.0, std=1.0, generator=None):
    return filled(tensor, mean + std * rngs.params.normal(tensor.shape, jnp.float32))


@rule(torch.nn.init.trunc_normal_)
def init_trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    low, high = (a - mean) / std, (b - mean) / std
    return filled(tensor, mean + std * rngs.params.truncated_normal(low, high, tensor.shape, jnp.float32))


@rule(torch.nn.init.constant_)
def init_constant_(tensor, val):
    return filled(tensor, val)


@rule(torch.nn.init.zeros_)
def init_zeros_(tensor):
    return filled(tensor, 0)


@rule(torch.nn.init.ones_)
def init_ones_(tensor):
    return filled(tensor, 1)


@rule(torch.nn.init.eye_)
def init_eye_(tensor):
    return filled(tensor, jnp.eye(*tensor.shape))


@rule(torch.nn.init.xavier_uniform_)
def init_xavier_uniform_(tensor, gain=1.0, generator=None):
    bound = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return filled(tensor, bound * (2 * rngs.params.uniform(tensor.shape, jnp.float32) - 1))


@rule(torch.nn.init.xavier_normal_)
def init_xavier_normal_(tensor, gain=1.0, generator=None):
    return filled(tensor, gain * math.sqrt(2.0 / sum(fans(tensor))) * rngs.params.normal(tensor.shape, jnp.float32))


@rule(torch.nn.init.kaiming_uniform_)
def init_kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    bound = calculate_gain(nonlinearity, a) * math.sqrt(3.0 / fans(tensor)[mode == "fan_out"])
    return filled(tensor, bound * (2 * rngs.params.uniform(tensor.shape, jnp.float32) - 1))


@rule(torch.nn.init.kaiming_normal_)
def init_kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    std = calculate_gain(nonlinearity, a) / math.sqrt(fans(tensor)[mode == "fan_out"])
    return filled(tensor, std * rngs.params.normal(tensor.shape, jnp.float32))


@rule(torch.nn.init.orthogonal_)
def init_orthogonal_(tensor, gain=1, generator=None):
    rows, columns = tensor.shape[0], math.prod(tensor.shape[1:])
    drawn = rngs.params.normal((max(rows, columns), min(rows, columns)), jnp.float32)
    q, r = jnp.linalg.qr(drawn)
    q = q * jnp.sign(jnp.diagonal(r))
    return filled(tensor, gain * (q.T if rows < columns else q).reshape(tensor.shape))


@rule(torch.nn.init._calculate_fan_in_and_fan_out)
def fan_in_and_fan_out(tensor):
    return fans(tensor)
