"""torch.nn.modules: dropout."""

import torch
from flax import nnx

from rewriters.rule import rule


@rule(torch.nn.Dropout)
def Dropout(p=0.5, inplace=False, *, rngs):
    return nnx.Dropout(p, rngs=rngs)


@rule("torch.nn.Dropout.p")
def p(self):
    return self.rate


@rule(torch.nn.Dropout2d)
def Dropout2d(p=0.5, inplace=False, *, rngs):
    return nnx.Dropout(p, broadcast_dims=(-2, -1), rngs=rngs)
