"""torch: random."""

import math

import oneflow
import torch

from rewriters.rule import alias, rule


class InverseErf(oneflow.autograd.Function):
    """OneFlow's erfinv has no backward, and is short of digits near the ends: a step of Newton's there."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        found, size = oneflow.erfinv(x), oneflow.abs(x)
        missing = oneflow.erfc(oneflow.abs(found)) - (1 - size)
        step = oneflow.sign(x) * missing * (math.sqrt(math.pi) / 2) * oneflow.exp(found * found)
        return oneflow.where(oneflow.logical_and(size > 0.5, size < 1), found + step, found)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (math.sqrt(math.pi) / 2) * oneflow.exp(InverseErf.apply(x) ** 2)


@rule(torch.erfinv, torch.Tensor.erfinv, torch.special.erfinv)
def erfinv(input):
    return InverseErf.apply(input if input.is_floating_point() else input.to(oneflow.get_default_dtype()))


@rule(torch.Tensor.erfinv_)
def erfinv_(self):
    self[...] = InverseErf.apply(self.clone())
    return self


alias(torch.random.default_generator, "oneflow.default_generator")


class OfGenerator(type):
    """OneFlow's Generator is a function."""

    def __instancecheck__(cls, value):
        return isinstance(value, type(oneflow.default_generator))


@rule("torch.Generator:test")
class Generator(metaclass=OfGenerator):
    """What isinstance() takes for a generator."""


@rule(torch.Generator.manual_seed)
def manual_seed_of_generator(self, seed):
    self.manual_seed(seed)
    return self


@rule(torch.Tensor.normal_)
def normal_(self, mean=0, std=1, *, generator=None):
    if generator is None:
        return self.normal_(mean, std)
    self[...] = oneflow.randn(self.shape, dtype=self.dtype, device=self.device, generator=generator) * std + mean
    return self


@rule(torch.Tensor.uniform_)
def uniform_(self, from_=0, to=1, *, generator=None):
    if generator is None:
        return self.uniform_(from_, to)
    drawn = oneflow.rand(self.shape, dtype=self.dtype, device=self.device, generator=generator)
    self[...] = drawn * (to - from_) + from_
    return self


@rule(torch.Tensor.exponential_)
def exponential_(self, lambd=1, *, generator=None):
    if generator is None:
        return self.exponential_(lambd)
    drawn = oneflow.rand(self.shape, dtype=self.dtype, device=self.device, generator=generator)
    self[...] = oneflow.log1p(-drawn) / -lambd
    return self
