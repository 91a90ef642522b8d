"""torch: dropout."""

import paddle
import torch

from rewriters.rule import becomes

becomes(torch.dropout, paddle.nn.functional.dropout, train="training")
