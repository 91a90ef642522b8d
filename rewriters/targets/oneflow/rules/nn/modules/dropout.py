"""torch.nn.modules: dropout."""

import oneflow
import torch

from rewriters.rule import alias, rule
from rewriters.targets.oneflow.rules.nn.modules.activation import MaybeInPlace

alias(torch.nn.modules.dropout._DropoutNd, "oneflow.nn.modules.dropout._DropoutNd")


@rule(torch.nn.Dropout1d, torch.nn.Dropout2d, torch.nn.Dropout3d)
class DropoutOfChannels(MaybeInPlace):
    """OneFlow's Dropout2d refuses every probability."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.p = p

    def compute(self, x):
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return x * 0
        kept = oneflow.rand([*x.shape[:2], *[1] * (x.ndim - 2)], device=x.device) >= self.p
        return x * kept.to(x.dtype) / (1 - self.p)


@rule(torch.nn.AlphaDropout)
class AlphaDropout(MaybeInPlace):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.p = p

    def mask_shape(self, x):
        return x.shape

    def compute(self, x):
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return x * 0
        low = -1.7580993408473766
        scale = (1 - self.p) ** -0.5 * (1 + self.p * low * low) ** -0.5
        kept = (oneflow.rand(self.mask_shape(x), device=x.device) >= self.p).to(x.dtype)
        return (x * kept + low * (1 - kept)) * scale - scale * self.p * low


@rule(torch.nn.FeatureAlphaDropout)
class FeatureAlphaDropout(AlphaDropout):
    def mask_shape(self, x):
        return [*x.shape[:2], *[1] * (x.ndim - 2)]


@rule(torch.nn.Dropout)
def Dropout(p=0.5, inplace=False):
    """Without it each layer draws by a generator of its own, all of one seed: layers of one shape drop the same elements."""  # noqa: E501
    return oneflow.nn.Dropout(p, inplace, generator=oneflow.default_generator)
