"""A tensor as a condition: Paddle holds what is below 0, and NaN, for false."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.Tensor.__bool__)
def truth(self):
    return self != 0 if isinstance(self, paddle.Tensor) else self


@rule("torch.Tensor.__bool__:value")
def is_true(self):
    return bool(truth(self))
