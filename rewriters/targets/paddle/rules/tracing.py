"""torch: what is said to tracers and compilers."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch._shape_as_tensor)
def _shape_as_tensor(input):
    return paddle.to_tensor(input.shape, dtype="int64")
