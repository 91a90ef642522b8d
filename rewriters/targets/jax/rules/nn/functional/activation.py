"""torch.nn.functional: activations, softmax."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import BoolTensor, ComplexTensor, FloatTensor, IntTensor, Rank, family, rule
from rewriters.targets.jax.rules.slopes import with_slope


@rule(torch.nn.functional.gelu)
def gelu(input, approximate="none"):
    return jax.nn.gelu(input, approximate=approximate == "tanh")


@family("silu mish")
@rule(torch.nn.functional.silu)
def silu(input, inplace=False):
    return jax.nn.silu(input)


@rule(torch.nn.functional.leaky_relu)
def leaky_relu(input, negative_slope=0.01, inplace=False):
    return jnp.where(input > 0, input, input * negative_slope)  # jax.nn's has the slope 1 at 0


# jax.nn.elu has expm1(x) + 1 for its slope, of which nothing is left where x is below -17
exact_expm1 = with_slope(jnp.expm1, jnp.exp)


def elu_of(x, alpha, scale, width):
    """scale * alpha * (exp(x / width) - 1) below 0."""
    below = alpha * exact_expm1(jnp.where(x > 0, 0, x) / width)
    found = jnp.where(x > 0, x, below)
    return found if scale == 1 else scale * found


@rule(torch.nn.functional.elu)
def elu(input, alpha=1.0, inplace=False):
    return elu_of(input, alpha, 1, 1)


@rule(torch.nn.functional.celu, torch.celu)
def celu(input, alpha=1.0, inplace=False):
    return elu_of(input, alpha, 1, alpha)


@rule(torch.nn.functional.selu, torch.selu)
def selu(input, inplace=False):
    return elu_of(input, 1.6732632423543772, 1.0507009873554805, 1)


@rule(torch.nn.functional.relu6)
def relu6(input, inplace=False):
    low, high = (jnp.asarray(value).astype(input.dtype) for value in (0, 6))
    return jnp.where(input <= 0, low, jnp.where(input >= 6, high, input))


@rule(torch.nn.functional.hardtanh)
def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    low, high = (jnp.asarray(value).astype(input.dtype) for value in (min_val, max_val))
    # at an edge torch has no gradient
    return jnp.where(input <= low, low, jnp.where(input >= high, high, input))


@rule(torch.nn.functional.hardsigmoid)
def hardsigmoid(input, inplace=False):
    outside = (input <= -3) | (input >= 3)
    return jnp.where(outside, (input > 0).astype(input.dtype), input / 6 + 0.5)


@rule(torch.nn.functional.hardswish)
def hardswish(input, inplace=False):
    return jnp.where(input <= -3, 0, jnp.where(input >= 3, input, input * (input / 6 + 0.5)))


@rule(torch.nn.functional.hardshrink, torch.hardshrink, torch.Tensor.hardshrink)
def hardshrink(input, lambd=0.5):
    return jnp.where(jnp.abs(input) <= lambd, 0, input)


@rule(torch.nn.functional.softshrink)
def softshrink(input, lambd=0.5):
    return jnp.where(jnp.abs(input) <= lambd, 0 * input, input - jnp.sign(input) * lambd)


@rule(torch.nn.functional.tanhshrink)
def tanhshrink(input):
    return input - jnp.tanh(input)


@rule(torch.nn.functional.softsign)
def softsign(input):
    return jax.nn.soft_sign(input)


@rule(torch.nn.functional.softplus)
def softplus(input, beta=1.0, threshold=20.0):
    scaled = input * beta
    return jnp.where(scaled > threshold, input, jax.nn.softplus(jnp.where(scaled > threshold, 0, scaled)) / beta)


@rule(torch.nn.functional.logsigmoid)
def logsigmoid(input):
    return jax.nn.log_sigmoid(input)


@rule(torch.nn.functional.threshold, torch.threshold)
def threshold(input, threshold, value, inplace=False):
    return jnp.where(input <= threshold, jnp.asarray(value).astype(input.dtype), input)


@rule(torch.nn.functional.prelu, torch.prelu, torch.Tensor.prelu)
def prelu(input, weight):
    slope = weight.reshape(-1, *[1] * (input.ndim - 2)) if weight.size > 1 else weight.reshape(())
    return jnp.where(input > 0, input, slope * input)


@rule(torch.nn.functional.rrelu, torch.rrelu)
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False, *, rngs):
    if not training:
        return jnp.where(input > 0, input, input * ((lower + upper) / 2))
    return jnp.where(input > 0, input, input * rngs.uniform(input.shape, input.dtype, lower, upper))


@rule(torch.nn.functional.glu)
def glu(input, dim=-1):
    return jax.nn.glu(input, dim)


@family("softmax log_softmax")
@rule(torch.nn.functional.softmax)
def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:  # torch's old choice
        dim = 0 if input.ndim in (0, 1, 3) else 1
    return jax.nn.softmax(input if dtype is None else input.astype(dtype), axis=dim)


@family("softmax log_softmax")
@rule(torch.softmax, torch.Tensor.softmax)
def torch_softmax(input, dim, dtype=None):
    return jax.nn.softmax(input if dtype is None else input.astype(dtype), axis=dim)


@rule(torch.nn.functional.softmin)
def softmin(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = 0 if input.ndim in (0, 1, 3) else 1
    return jax.nn.softmax(-(input if dtype is None else input.astype(dtype)), axis=dim)


@rule(torch.nn.functional.gumbel_softmax)
def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1, *, rngs):
    soft = jax.nn.softmax((logits + rngs.gumbel(logits.shape, logits.dtype)) / tau, axis=dim)
    if not hard:
        return soft
    chosen = jax.nn.one_hot(jnp.argmax(soft, axis=dim), logits.shape[dim], dtype=logits.dtype, axis=dim)
    return chosen - jax.lax.stop_gradient(soft) + soft


@family("softmax log_softmax")
@rule(torch.nn.functional.softmax)
def softmax(input: Rank[0], dim=None, _stacklevel=3, dtype=None):
    return jax.nn.softmax(input if dtype is None else input.astype(dtype), axis=None)


@rule(torch.nn.functional.softmin)
def softmin(input: Rank[0], dim=None, _stacklevel=3, dtype=None):
    return jax.nn.softmax(-(input if dtype is None else input.astype(dtype)), axis=None)


@rule(torch.nn.functional.tanh)
def functional_tanh(input: FloatTensor | ComplexTensor):
    return jnp.tanh(input)


@rule(torch.nn.functional.tanh)
def functional_tanh(input: IntTensor | BoolTensor):
    return jnp.tanh(input.astype(jnp.float32))


@rule(torch.nn.functional.elu_)
def elu_(self, alpha=1.0):
    self = elu(self, alpha)
    return self


@rule(torch.nn.functional.leaky_relu_)
def leaky_relu_(self, negative_slope=0.01):
    self = jnp.where(self > 0, self, self * negative_slope)
    return self


@rule(torch.nn.functional.hardtanh_)
def hardtanh_(self, min_val=-1.0, max_val=1.0):
    self = hardtanh(self, min_val, max_val)
    return self


@rule(torch.nn.functional.gumbel_softmax)
def gumbel_softmax(logits: Rank[0], tau=1, hard=False, eps=1e-10, dim=-1):
    return jnp.ones_like(logits)
