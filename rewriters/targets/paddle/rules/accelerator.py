"""torch.accelerator: of accelerators the rules know GPUs. What torch.cuda has too is in cuda/."""

import paddle
import torch

from rewriters.rule import family, rule


@family("is device", "available count")
@rule(torch.accelerator.is_available)
def is_available():
    return paddle.cuda.is_available()


@rule(torch.accelerator.current_accelerator)
def current_accelerator(check_available=False):
    return paddle.device("cuda") if paddle.cuda.is_available() else None
