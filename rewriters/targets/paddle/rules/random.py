"""Random numbers."""

import os
from typing import Literal

import paddle
import torch

from rewriters.rule import becomes, family, rule
from rewriters.targets.paddle.rules.generators import drawn_from

becomes(torch.manual_seed, torch.random.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all, paddle.seed)
becomes(torch.initial_seed, torch.random.initial_seed, paddle.random.initial_seed)


@rule(torch.seed, torch.random.seed)
def seed():
    number = int.from_bytes(os.urandom(6), "little")
    paddle.seed(number)
    return number


@family("rand randn")
@rule(torch.rand)
def rand(*size: int, generator=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    if generator is not None:
        return drawn_from(generator, paddle.rand, size, dtype=dtype, requires_grad=requires_grad)
    return paddle.rand(size, dtype=dtype, requires_grad=requires_grad)


@family("rand randn")
@rule(torch.rand)
def rand(
    size: list | tuple, *, generator=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    if generator is not None:
        return drawn_from(generator, paddle.rand, size, dtype=dtype, requires_grad=requires_grad)
    return paddle.rand(size, dtype=dtype, requires_grad=requires_grad)


@family("rand randn")
@rule(torch.rand)
def rand(*size, generator=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    if generator is not None:
        return drawn_from(generator, paddle.rand, *size, dtype=dtype, requires_grad=requires_grad)
    return paddle.rand(*size, dtype=dtype, requires_grad=requires_grad)


@family("rand randn")
@rule(torch.rand_like)
def rand_like(input, *, generator=None, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    if generator is not None:
        return drawn_from(generator, paddle.rand_like, input, dtype=dtype, requires_grad=requires_grad)
    return paddle.rand_like(input, dtype=dtype, requires_grad=requires_grad)


@rule(torch.randint)
def randint(high: int, size: list | tuple, *, generator=None, dtype=None, device=None):
    if generator is not None:
        drawn = drawn_from(generator, paddle.randint, 0, high, size)
        return drawn if dtype is None else drawn.astype(dtype)
    if dtype is None:
        return paddle.randint(0, high, size)
    if dtype == torch.int64 or dtype == torch.int32:  # Paddle draws these alone
        return paddle.randint(0, high, size, dtype=dtype)
    return paddle.randint(0, high, size).astype(dtype)


@rule(torch.randint)
def randint(low: int, high: int, size: list | tuple, *, generator=None, dtype=None, device=None):
    if generator is not None:
        drawn = drawn_from(generator, paddle.randint, low, high, size)
        return drawn if dtype is None else drawn.astype(dtype)
    if dtype is None:
        return paddle.randint(low, high, size)
    if dtype == torch.int64 or dtype == torch.int32:
        return paddle.randint(low, high, size, dtype=dtype)
    return paddle.randint(low, high, size).astype(dtype)


@rule(torch.randint_like)
def randint_like(input, high, *, generator=None, dtype=None, layout=None, device=None):
    if generator is not None:
        return drawn_from(generator, paddle.randint_like, input, 0, high, dtype=dtype)
    return paddle.randint_like(input, 0, high, dtype=dtype)


@rule(torch.randint_like)
def randint_like(input, low, high, *, generator=None, dtype=None, layout=None, device=None):
    if generator is not None:
        return drawn_from(generator, paddle.randint_like, input, low, high, dtype=dtype)
    return paddle.randint_like(input, low, high, dtype=dtype)


@rule(torch.randperm)
def randperm(n, *, generator=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    if generator is not None:
        return drawn_from(generator, paddle.randperm, n, dtype="int64" if dtype is None else dtype)
    return paddle.randperm(n, dtype="int64" if dtype is None else dtype)


@rule(torch.normal)
def normal(mean: float | int, std: float | int, size, *, generator=None, dtype=None, layout=None, device=None):
    if generator is not None:
        drawn = drawn_from(generator, paddle.normal, mean, std, size)
        return drawn if dtype is None else drawn.astype(dtype)
    return paddle.normal(mean, std, size) if dtype is None else paddle.normal(mean, std, size).astype(dtype)


# No gradient passes through what torch draws of tensors.
@rule(torch.normal)
def normal(mean: paddle.Tensor, std: float | int = 1.0, *, generator=None):
    if generator is not None:
        return (mean + std * drawn_from(generator, paddle.randn, mean.shape, dtype=mean.dtype)).detach()
    return (mean + std * paddle.randn(mean.shape, dtype=mean.dtype)).detach()


@rule(torch.normal)
def normal(mean: float | int | paddle.Tensor, std: paddle.Tensor, *, generator=None):
    # paddle.normal does not broadcast its parameters
    shape = std.shape if not isinstance(mean, paddle.Tensor) else paddle.broadcast_shape(mean.shape, std.shape)
    if generator is not None:
        return (mean + std * drawn_from(generator, paddle.randn, shape, dtype=std.dtype)).detach()
    return (mean + std * paddle.randn(shape, dtype=std.dtype)).detach()


@rule(torch.multinomial, torch.Tensor.multinomial)
def multinomial(input, num_samples, replacement=False, *, generator=None):
    if generator is not None:
        return drawn_from(generator, paddle.multinomial, input, num_samples=num_samples, replacement=replacement)
    return paddle.multinomial(input, num_samples=num_samples, replacement=replacement)


@rule(torch.bernoulli, torch.Tensor.bernoulli)
def bernoulli(input, *, generator=None):
    if generator is not None:
        return drawn_from(generator, paddle.bernoulli, input)
    return paddle.bernoulli(input)


@rule(torch.bernoulli, torch.Tensor.bernoulli)
def bernoulli(input, p, *, generator=None):
    if generator is not None:
        return drawn_from(generator, paddle.bernoulli, input, p)
    return paddle.bernoulli(input, p)


@rule(torch.Tensor.bernoulli_)
def bernoulli_(self, p: paddle.Tensor, *, generator=None):
    if generator is not None:
        drawn = drawn_from(generator, paddle.bernoulli, paddle.expand_as(p, self))
        return paddle.assign(drawn.astype(self.dtype), self)
    return paddle.assign(paddle.bernoulli(paddle.expand_as(p, self)).astype(self.dtype), self)


@rule(torch.Tensor.bernoulli_)
def bernoulli_(self, p=0.5, *, generator=None):
    if generator is not None:
        return drawn_from(generator, self.bernoulli_, p)
    return self.bernoulli_(p)


@rule(torch.poisson)
def poisson(input, generator=None):
    if generator is not None:
        return drawn_from(generator, paddle.poisson, input)
    return paddle.poisson(input)


@rule(torch.binomial)
def binomial(count, prob, generator=None):
    if generator is not None:
        return drawn_from(generator, paddle.binomial, count, prob).astype(count.dtype)
    return paddle.binomial(count, prob).astype(count.dtype)


@family("uniform normal cauchy", "from_ mean median", "to std sigma")
@rule(torch.Tensor.uniform_)
def uniform_(self, from_=0, to=1, *, generator=None):
    if generator is not None:
        return drawn_from(generator, self.uniform_, from_, to)
    return self.uniform_(from_, to)


# of nothing Paddle draws no number
@rule(torch.Tensor.uniform_)
def zeros_(self, from_: Literal[0], to: Literal[0], *, generator=None):
    return self.zero_()


@rule(torch.Tensor.exponential_)
def exponential_(self, lambd=1, *, generator=None):
    if generator is not None:
        return drawn_from(generator, self.exponential_, lambd)
    return self.exponential_(lambd)


@rule(torch.Tensor.log_normal_)
def log_normal_(self, mean=1, std=2, *, generator=None):
    if generator is not None:
        return drawn_from(generator, self.log_normal_, mean, std)
    return self.log_normal_(mean, std)


@rule(torch.Tensor.geometric_)
def geometric_(self, p, *, generator=None):
    if generator is not None:
        return drawn_from(generator, self.geometric_, p).ceil_()
    # Paddle's own is the exponential distribution that the number of trials is rounded up from
    return self.geometric_(p).ceil_()


@rule(torch.Tensor.random_)
def random_(self, *, generator=None):
    if generator is not None:
        return drawn_from(generator, self.random_)
    return self.random_()


@rule(torch.Tensor.random_)
def random_(self, to, *, generator=None):
    if generator is not None:
        return drawn_from(generator, self.random_, 0, to)
    return self.random_(0, to)


@rule(torch.Tensor.random_)
def random_(self, from_, to, *, generator=None):
    if generator is not None:
        return drawn_from(generator, self.random_, from_, to)
    return self.random_(from_, to)


@rule(torch.random.fork_rng)
class fork_rng:
    """After it the generators are as they were before."""

    def __init__(self, devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
        self.enabled = enabled

    def __enter__(self):
        self.states = paddle.get_rng_state()
        self.cuda_states = paddle.get_cuda_rng_state() if paddle.is_compiled_with_cuda() else None

    def __exit__(self, *failure):
        if self.enabled:
            paddle.set_rng_state(self.states)
            if self.cuda_states is not None:
                paddle.set_cuda_rng_state(self.cuda_states)
