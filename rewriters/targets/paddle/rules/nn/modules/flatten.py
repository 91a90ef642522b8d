"""torch.nn.modules: Flatten and Unflatten."""

import paddle
import torch

from rewriters.rule import becomes

becomes(torch.nn.Flatten, paddle.nn.Flatten, start_dim="start_axis", end_dim="stop_axis")
becomes(torch.nn.Unflatten, paddle.nn.Unflatten)
