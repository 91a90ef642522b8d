"""torch.nn.modules: Flatten and Unflatten."""

import paddle
import torch

from rewriters.rule import becomes, rule
from rewriters.targets.paddle.rules.shapes import flatten_by_shape

becomes(torch.nn.Flatten, paddle.nn.Flatten, start_dim="start_axis", end_dim="stop_axis")
becomes(torch.nn.Unflatten, paddle.nn.Unflatten)


@rule("torch.nn.Flatten:twice")
class FlattenByShape(paddle.nn.Flatten):
    """One whose gradient has a gradient."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__(start_dim, end_dim)

    def forward(self, input):
        return flatten_by_shape(input, self.start_axis, self.stop_axis)
