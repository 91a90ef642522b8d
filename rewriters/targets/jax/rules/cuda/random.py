"""torch.cuda: random numbers, which come of the one generator."""

import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.generator import rngs


@rule(torch.cuda.seed, torch.cuda.seed_all)
def cuda_seed():
    rngs.seed()


@rule(torch.cuda.get_rng_state_all)
def get_rng_state_all():
    return [rngs.get_state()]


@rule(torch.cuda.set_rng_state_all)
def set_rng_state_all(new_states):
    for state in new_states:
        rngs.set_state(state)
