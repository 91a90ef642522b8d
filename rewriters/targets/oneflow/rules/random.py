"""torch: random."""

import oneflow
import torch

from rewriters.rule import alias, rule
from rewriters.targets.oneflow.rules.devices import get_rng_state, set_rng_state

alias(torch.random.default_generator, "oneflow.default_generator")


class OfGenerator(type):
    """OneFlow's Generator is a function."""

    def __instancecheck__(cls, value):
        return isinstance(value, type(oneflow.default_generator))


@rule("torch.Generator:test", "torch.Generator:annotated")
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


@rule(torch.random.fork_rng)
class fork_rng:
    """After it the generator of the CPU, and of each GPU that is named, is as it was before."""

    def __init__(self, devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
        self.enabled = enabled
        self.devices = [] if not oneflow.cuda.is_available() else devices or range(oneflow.cuda.device_count())

    def __enter__(self):
        if self.enabled:
            self.state = get_rng_state()
            self.states = {device: oneflow.cuda.get_rng_state(device) for device in self.devices}

    def __exit__(self, *failure):
        if self.enabled:
            set_rng_state(self.state)
            for device, state in self.states.items():
                oneflow.cuda.set_rng_state(state, device)
