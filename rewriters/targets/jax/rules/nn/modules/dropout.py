"""torch.nn.modules: dropout."""

import torch
from flax import nnx

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.functional.dropout import (  # noqa: F401 (families name them)
    alpha_dropout,
    dropout1d,
    dropout3d,
    feature_alpha_dropout,
)
from rewriters.targets.jax.rules.nn.modules.module import Module, TorchMethods


@rule(torch.nn.Dropout)
def Dropout(p=0.5, inplace=False, *, rngs):
    return nnx.Dropout(p, rngs=rngs)


@rule("torch.nn.Dropout.p")
def p(self):
    return self.rate


@rule(torch.nn.Dropout2d)
def Dropout2d(p=0.5, inplace=False, *, rngs):
    return nnx.Dropout(p, broadcast_dims=(-2, -1), rngs=rngs)


@rule("torch.nn.Dropout:asking", "torch.nn.Dropout:value")
class TorchDropout(TorchMethods, nnx.Dropout):
    """As NNX's, and asked for its parts and parameters as torch's modules are."""

    def __init__(self, p=0.5, inplace=False, *, rngs=rngs):
        super().__init__(p, rngs=rngs)


@rule("torch.nn.Dropout2d:asking", "torch.nn.Dropout2d:value")
class TorchDropout2d(TorchMethods, nnx.Dropout):
    def __init__(self, p=0.5, inplace=False, *, rngs=rngs):
        super().__init__(p, broadcast_dims=(-2, -1), rngs=rngs)


@family(
    "Dropout1d Dropout3d AlphaDropout FeatureAlphaDropout", "dropout1d dropout3d alpha_dropout feature_alpha_dropout"
)
@rule(torch.nn.Dropout1d)
class Dropout1d(Module):
    def __init__(self, p=0.5, inplace=False, *, rngs=rngs):
        super().__init__()
        self.p, self.rngs = p, rngs.dropout.fork()

    def __call__(self, input):
        return dropout1d(input, self.p, self.training, rngs=self.rngs)
