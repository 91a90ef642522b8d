"""torch: dropout."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.dropout)
def dropout(input, p, train):
    return paddle.nn.functional.dropout(input, p, training=train)
