"""torch.nn.init: what fills a parameter, which keeps its dtype."""

import math

import jax.numpy as jnp
import numpy
import torch
from flax import nnx

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.generator import rngs


def filled(tensor, value):
    """The parameter, which has these values now. A plain array has no place of its own: its name is bound anew."""
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


def source(generator):
    return rngs if generator is None else generator


@rule(torch.nn.init.calculate_gain)
def calculate_gain(nonlinearity, param=None):
    slope = 0.01 if param is None else param
    known = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "leaky_relu": math.sqrt(2.0 / (1 + slope**2)), "selu": 0.75}
    return known.get(nonlinearity, 1)


@rule(torch.nn.init.uniform_, torch.nn.init.uniform)
def init_uniform_(tensor, a=0.0, b=1.0, generator=None):
    return filled(tensor, a + (b - a) * source(generator).params.uniform(tensor.shape, jnp.float32))


@rule(torch.nn.init.normal_, torch.nn.init.normal)
def init_normal_(tensor, mean=0.0, std=1.0, generator=None):
    return filled(tensor, mean + std * source(generator).params.normal(tensor.shape, jnp.float32))


@rule(torch.nn.init.trunc_normal_)
def init_trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    low, high = (a - mean) / std, (b - mean) / std
    return filled(tensor, mean + std * source(generator).params.truncated_normal(low, high, tensor.shape, jnp.float32))


@rule(torch.nn.init.constant_, torch.nn.init.constant)
def init_constant_(tensor, val):
    return filled(tensor, val)


@rule(torch.nn.init.zeros_)
def init_zeros_(tensor):
    return filled(tensor, 0)


@rule(torch.nn.init.ones_)
def init_ones_(tensor):
    return filled(tensor, 1)


@rule(torch.nn.init.eye_, torch.nn.init.eye)
def init_eye_(tensor):
    return filled(tensor, jnp.eye(*tensor.shape))


@rule(torch.nn.init.xavier_uniform_, torch.nn.init.xavier_uniform)
def init_xavier_uniform_(tensor, gain=1.0, generator=None):
    bound = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return filled(tensor, bound * (2 * source(generator).params.uniform(tensor.shape, jnp.float32) - 1))


@rule(torch.nn.init.xavier_normal_, torch.nn.init.xavier_normal)
def init_xavier_normal_(tensor, gain=1.0, generator=None):
    return filled(
        tensor, gain * math.sqrt(2.0 / sum(fans(tensor))) * source(generator).params.normal(tensor.shape, jnp.float32)
    )


@rule(torch.nn.init.kaiming_uniform_, torch.nn.init.kaiming_uniform)
def init_kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    bound = calculate_gain(nonlinearity, a) * math.sqrt(3.0 / fans(tensor)[mode == "fan_out"])
    return filled(tensor, bound * (2 * source(generator).params.uniform(tensor.shape, jnp.float32) - 1))


@rule(torch.nn.init.kaiming_normal_, torch.nn.init.kaiming_normal)
def init_kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    std = calculate_gain(nonlinearity, a) / math.sqrt(fans(tensor)[mode == "fan_out"])
    return filled(tensor, std * source(generator).params.normal(tensor.shape, jnp.float32))


@rule(torch.nn.init.orthogonal_, torch.nn.init.orthogonal)
def init_orthogonal_(tensor, gain=1, generator=None):
    rows, columns = tensor.shape[0], math.prod(tensor.shape[1:])
    drawn = source(generator).params.normal((max(rows, columns), min(rows, columns)), jnp.float32)
    q, r = jnp.linalg.qr(drawn)
    q = q * jnp.sign(jnp.diagonal(r))
    return filled(tensor, gain * (q.T if rows < columns else q).reshape(tensor.shape))


@rule(torch.nn.init.dirac_, torch.nn.init.dirac)
def init_dirac_(tensor, groups=1):
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    each = tensor.shape[0] // groups
    places = numpy.arange(min(each, tensor.shape[1]))
    value = numpy.zeros(tensor.shape)
    for group in range(groups):
        value[(group * each + places, places, *(size // 2 for size in tensor.shape[2:]))] = 1
    return filled(tensor, value)


@rule(torch.nn.init.sparse_, torch.nn.init.sparse)
def init_sparse_(tensor, sparsity, std=0.01, generator=None):
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    zeros = math.ceil(sparsity * tensor.shape[0])
    value = std * source(generator).params.normal(tensor.shape, jnp.float32)
    order = jnp.argsort(source(generator).params.uniform(tensor.shape, jnp.float32), axis=0)  # of each column
    return filled(tensor, jnp.where(jnp.argsort(order, axis=0) < zeros, 0.0, value))


@rule(torch.nn.init._calculate_correct_fan)
def correct_fan(tensor, mode):
    return fans(tensor)[mode.lower() == "fan_out"]


@rule(torch.nn.init._calculate_fan_in_and_fan_out)
def fan_in_and_fan_out(tensor):
    return fans(tensor)


def filled_array(tensor, fill):
    """An array as a function fills it; what holds one is filled itself."""
    return fill(tensor) if hasattr(tensor, "set_value") else fill(nnx.Variable(tensor))[...]


@family(
    "uniform_ normal_ trunc_normal_ constant_ zeros_ ones_ eye_ xavier_uniform_ xavier_normal_ kaiming_uniform_ "
    "kaiming_normal_ orthogonal_ dirac_ sparse_"
)
@rule("torch.nn.init.uniform_:of_array")
def array_uniform_(self, *args, **kwargs):
    self = filled_array(self, lambda tensor: init_uniform_(tensor, *args, **kwargs))
    return self
