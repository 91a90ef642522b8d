"""torch.cuda.amp."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.cuda.amp.autocast, torch.cuda.amp.autocast_mode.autocast)
def cuda_autocast(enabled=True, dtype=None, cache_enabled=True):
    return oneflow.autocast("cuda", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)
