"""torch.nn.modules: dropout."""

import paddle
import torch

from rewriters.rule import family, rule


@family("Dropout AlphaDropout FeatureAlphaDropout")
@rule(torch.nn.Dropout)
def Dropout(p=0.5, inplace=False):
    return paddle.nn.Dropout(p)


@rule(torch.nn.Dropout1d)
class Dropout1d(paddle.nn.Layer):
    """Drops whole channels of (N, C, L) or (C, L)."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p, self.inplace = p, inplace

    def forward(self, x):
        return paddle.nn.functional.dropout1d(x, self.p, training=self.training)


@family("2d 3d")
@rule(torch.nn.Dropout2d)
def Dropout2d(p=0.5, inplace=False):
    return paddle.nn.Dropout2D(p)
