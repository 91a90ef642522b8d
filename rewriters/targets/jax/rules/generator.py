"""The one generator of random numbers that a program draws from where it names none, as torch has one."""

import torch
from flax import nnx

from rewriters.rule import rule

rngs = nnx.Rngs(0)


@rule(torch.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all)
def manual_seed(seed):
    nnx.reseed(rngs, default=seed)
    return rngs
