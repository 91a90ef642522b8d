"""The one generator of random numbers that a program draws from where it names none, as torch has one."""

import itertools

import jax
import torch
from flax import nnx

from rewriters.rule import rule


class Generator(nnx.Rngs):
    """Draws while gradients are taken, too, and raises in what is compiled, which would draw once for all calls."""

    def __init__(self, seed):
        super().__init__(seed)
        self.drawn = itertools.count(1 << 31)  # beyond what the streams of layers begin with

    def __call__(self):
        key = jax.random.fold_in(self.default.key[...], next(self.drawn))
        if isinstance(key, jax.core.Tracer):
            raise RuntimeError("what is compiled cannot draw from the generator of the whole program")
        return key

    @property
    def params(self):
        return self

    dropout = params

    def __getitem__(self, name):
        return self  # the streams of all names are this one, as torch has one

    def fork(self, *, split=None):
        return nnx.RngStream(self(), tag="default")

    def seed(self, number):
        nnx.reseed(self, default=number)
        self.drawn = itertools.count(1 << 31)


rngs = Generator(0)


@rule(torch.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all)
def manual_seed(seed):
    rngs.seed(seed)
    return rngs
