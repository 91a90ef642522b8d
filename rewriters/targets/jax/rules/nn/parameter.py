"""torch.nn: parameters and buffers, which are Variables of NNX."""

import torch
from flax import nnx

from rewriters.rule import rule


@rule("torch.nn.Parameter:frozen")
class Frozen(nnx.Variable):
    """A parameter that is not trained."""


@rule(torch.nn.Parameter)
def Parameter(data, requires_grad=True):
    if requires_grad:
        return nnx.Param(data)
    return Frozen(data)


@rule(torch.nn.Buffer)
class Buffer(nnx.Variable):
    """What belongs to a module's state and is no parameter."""

    def __init__(self, data, *, persistent=True):
        super().__init__(data, persistent=persistent)
