"""Random numbers: drawn from ``rngs``, a generator as torch's one. The numbers are JAX's own."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.generator import rngs


@family("rand randn", "uniform normal")
@rule(torch.rand)
def rand(*size: int, generator=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, rngs):
    return (rngs if generator is None else generator).uniform((*size,), jnp.float32 if dtype is None else dtype)


@family("rand randn", "uniform normal")
@rule(torch.rand)
def rand(
    size: list | tuple,
    *,
    generator=None,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
    rngs,
):
    return (rngs if generator is None else generator).uniform(size, jnp.float32 if dtype is None else dtype)


@family("rand randn", "uniform normal")
@rule(torch.rand)
def rand(*size, generator=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, rngs):
    shape = size[0] if len(size) == 1 else size
    return (rngs if generator is None else generator).uniform(shape, jnp.float32 if dtype is None else dtype)


@family("rand randn", "uniform normal")
@rule(torch.rand_like)
def rand_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None, rngs):
    return rngs.uniform(input.shape, input.dtype if dtype is None else dtype)


@rule(torch.randint)
def randint(
    low,
    high,
    size,
    *,
    generator=None,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
    rngs,
):
    return (rngs if generator is None else generator).randint(size, low, high, jnp.int64 if dtype is None else dtype)


@rule(torch.randint)
def randint(
    high: int,
    size: list | tuple,
    *,
    generator=None,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
    rngs,
):
    return (rngs if generator is None else generator).randint(size, 0, high, jnp.int64 if dtype is None else dtype)


@rule(torch.randint_like)
def randint_like(input, low, high, *, dtype=None, layout=None, device=None, memory_format=None, rngs):
    return rngs.randint(input.shape, low, high, jnp.int64).astype(input.dtype if dtype is None else dtype)


@rule(torch.randint_like)
def randint_like(input, high, *, dtype=None, layout=None, device=None, memory_format=None, rngs):
    return rngs.randint(input.shape, 0, high, jnp.int64).astype(input.dtype if dtype is None else dtype)


@rule(torch.randperm)
def randperm(n, *, generator=None, dtype=torch.int64, layout=None, device=None, pin_memory=False, rngs):
    return (rngs if generator is None else generator).permutation(n).astype(jnp.int64 if dtype is None else dtype)


@rule(torch.normal)
def normal(mean, std, size: list | tuple, *, generator=None, dtype=None, device=None, rngs):
    return mean + std * (rngs if generator is None else generator).normal(size, jnp.float32 if dtype is None else dtype)


@rule(torch.normal)
def normal(mean=0.0, std=1.0, *, generator=None, rngs):
    shape = jnp.broadcast_shapes(jnp.shape(mean), jnp.shape(std))
    # No gradient passes through what torch draws here.
    return jax.lax.stop_gradient(mean + std * (rngs if generator is None else generator).normal(shape, jnp.float32))


@rule(torch.bernoulli, torch.Tensor.bernoulli)
def bernoulli(input, *, generator=None, rngs):
    return (rngs if generator is None else generator).bernoulli(input).astype(input.dtype)


@rule(torch.bernoulli, torch.Tensor.bernoulli)
def bernoulli(input, p: float, *, generator=None, rngs):
    return (rngs if generator is None else generator).bernoulli(p, input.shape).astype(input.dtype)


@rule(torch.poisson)
def poisson(input, generator=None, *, rngs):
    return (rngs if generator is None else generator).poisson(input, input.shape).astype(input.dtype)


@rule(torch.multinomial, torch.Tensor.multinomial)
def multinomial(input, num_samples, replacement=False, *, generator=None, rngs):
    # the largest of the logarithms under Gumbel noise are a draw without replacement
    logits = jnp.log(input.astype(jnp.float32))
    if replacement:
        noise = (rngs if generator is None else generator).gumbel((*input.shape[:-1], num_samples, input.shape[-1]))
        return jnp.argmax(logits[..., None, :] + noise, axis=-1)
    noisy = logits + (rngs if generator is None else generator).gumbel(input.shape)
    return jnp.argsort(noisy, axis=-1, descending=True)[..., :num_samples]


@rule(torch.random.fork_rng)
class fork_rng:
    """The generator goes on behind the block as if nothing had been drawn inside."""

    def __init__(self, devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
        self.enabled = enabled

    def __enter__(self):
        self.state = rngs.get_state()

    def __exit__(self, *error):
        if self.enabled:
            rngs.set_state(self.state)
