"""torch.nn.modules: activations."""

import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.functional.activation import (  # noqa: F401 (families name them)
    celu,
    elu,
    glu,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    logsigmoid,
    mish,
    relu6,
    rrelu,
    selu,
    silu,
    softplus,
    softshrink,
    softsign,
    tanhshrink,
    threshold,
)
from rewriters.targets.jax.rules.nn.modules.module import Module


@rule(torch.nn.ReLU)
class ReLU(Module):
    def __init__(self, inplace=False):
        super().__init__()

    def __call__(self, input):
        return nnx.relu(input)


@family("SiLU Mish SELU ReLU6 Hardsigmoid Hardswish", "silu mish selu relu6 hardsigmoid hardswish")
@rule(torch.nn.SiLU)
class SiLU(Module):
    def __init__(self, inplace=False):
        super().__init__()

    def __call__(self, input):
        return silu(input)


@family("Softsign Tanhshrink LogSigmoid", "softsign tanhshrink logsigmoid")
@rule(torch.nn.Softsign)
class Softsign(Module):
    def __call__(self, input):
        return softsign(input)


@family("Sigmoid Tanh", "sigmoid tanh")
@rule(torch.nn.Sigmoid)
class Sigmoid(Module):
    def __call__(self, input):
        return nnx.sigmoid(input)


@rule(torch.nn.GELU)
class GELU(Module):
    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def __call__(self, input):
        return nnx.gelu(input, approximate=self.approximate == "tanh")


@family(
    "LeakyReLU ELU CELU Hardshrink Softshrink GLU",
    "leaky_relu elu celu hardshrink softshrink glu",
    "negative_slope alpha alpha lambd lambd dim",
    "0.01 1.0 1.0 0.5 0.5 -1",
    (", inplace=False", ", inplace=False", ", inplace=False", "", "", ""),
)
@rule(torch.nn.LeakyReLU)
class LeakyReLU(Module):
    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope

    def __call__(self, input):
        return leaky_relu(input, self.negative_slope)


@rule(torch.nn.Hardtanh)
class Hardtanh(Module):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__()
        self.min_val, self.max_val = min_val, max_val

    def __call__(self, input):
        return hardtanh(input, self.min_val, self.max_val)


@rule(torch.nn.Softplus)
class Softplus(Module):
    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def __call__(self, input):
        return softplus(input, self.beta, self.threshold)


@rule(torch.nn.Threshold)
class Threshold(Module):
    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold, self.value = threshold, value

    def __call__(self, input):
        return threshold(input, self.threshold, self.value)


def axis_of(dim, ndim):
    """torch's axis where none is given; all of none."""
    if ndim == 0:
        return None
    return dim if dim is not None else 0 if ndim in (1, 3) else 1


@family("Softmax LogSoftmax", "softmax log_softmax")
@rule(torch.nn.Softmax)
class Softmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def __call__(self, input):
        return nnx.softmax(input, axis=axis_of(self.dim, input.ndim))


@rule(torch.nn.Softmin)
class Softmin(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def __call__(self, input):
        return nnx.softmax(-input, axis=axis_of(self.dim, input.ndim))


@rule(torch.nn.Softmax2d)
class Softmax2d(Module):
    def __call__(self, input):
        return nnx.softmax(input, axis=-3)


@rule(torch.nn.RReLU)
class RReLU(Module):
    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False, *, rngs=rngs):
        super().__init__()
        self.lower, self.upper, self.rngs = lower, upper, rngs.dropout.fork()

    def __call__(self, input):
        return rrelu(input, self.lower, self.upper, self.training, rngs=self.rngs)


@rule(torch.nn.PReLU)
class PReLU(Module):
    torchs = {"negative_slope": ("weight", None)}

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None, *, rngs=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.negative_slope = nnx.Param(jnp.full(num_parameters, init, dtype or jnp.float32))

    @property
    def weight(self):
        return self.negative_slope

    def __call__(self, input):
        slope = self.negative_slope[...]
        slope = slope.reshape(-1, *[1] * (input.ndim - 2)) if self.num_parameters > 1 else slope[0]
        return jnp.where(input > 0, input, slope * input)
