"""Generators of random numbers: the one that a program draws from where it names none, as torch has one, and others."""

import os
import types
import weakref

import jax
import jax.numpy as jnp
import numpy
import torch
from flax import nnx

from rewriters.rule import alias, rule, same

same(
    "torch.Generator.device",
    "torch.Generator.get_state",
    "torch.Generator.initial_seed",
    "torch.Generator.manual_seed",
    "torch.Generator.seed",
    "torch.Generator.set_state",
)


@rule(torch.Generator)
class Generator(nnx.Rngs):
    """Draws while gradients are taken, too, and raises in what is compiled, which would draw once for all calls."""

    def __init__(self, device="cpu"):
        super().__init__(0)
        self.layers = types.SimpleNamespace(made=0, streams=[])
        self.manual_seed(67280421310721)  # torch's

    @property
    def device(self):
        return jax.devices()[0]

    def __call__(self):
        key = jax.random.fold_in(self.default.key[...], self.counter.drawn)
        self.counter.drawn += 1
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
        stream = nnx.RngStream(self(), tag="default")
        living = [(number, layer) for number, layer in self.layers.streams if layer() is not None]
        self.layers.streams = [*living, (self.layers.made, weakref.ref(stream))]
        self.layers.made += 1
        return stream

    def manual_seed(self, seed):
        nnx.reseed(self, default=seed % 2**64)
        self.number = seed
        self.counter = types.SimpleNamespace(drawn=1 << 31)  # beyond what the streams of layers begin with
        for number, layer in self.layers.streams:  # what layers draw begins anew, too
            stream = layer()
            if stream is not None:
                stream.key[...] = jax.random.fold_in(self.default.key[...], (1 << 30) + number)
                stream.count[...] = jnp.zeros_like(stream.count[...])
        return self

    def seed(self):
        self.manual_seed(int.from_bytes(os.urandom(6), "little"))
        return self.number

    def initial_seed(self):
        return self.number

    def get_state(self):
        """The seed, and how often was drawn, by the program and for layers, as bytes in an array of uint8."""
        counts = [self.number % 2**64, self.counter.drawn, int(self.default.count[...])]
        return jnp.asarray(numpy.array(counts, "uint64").view("uint8"))

    def set_state(self, new_state):
        if new_state.dtype != jnp.uint8 or new_state.shape != (24,):
            raise RuntimeError("RNG state is of another framework or has another size; get it by get_rng_state()")
        number, drawn, count = numpy.asarray(new_state).view("uint64").tolist()
        self.manual_seed(number)
        self.counter.drawn = drawn
        self.default.count[...] = jnp.asarray(count, self.default.count.dtype)
        return self


rngs = Generator().manual_seed(0)

alias(torch.default_generator, "helper.rngs")
alias(torch.random.default_generator, "helper.rngs")


@rule(torch.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all)
def manual_seed(seed):
    return rngs.manual_seed(seed)


@rule(torch.seed)
def seed():
    return rngs.seed()


@rule(torch.initial_seed, torch.cuda.initial_seed)
def initial_seed():
    return rngs.initial_seed()


@rule(torch.get_rng_state, torch.cuda.get_rng_state)
def get_rng_state(device=None):
    return rngs.get_state()


@rule(torch.set_rng_state, torch.cuda.set_rng_state)
def set_rng_state(new_state, device=None):
    rngs.set_state(new_state)
