"""torch: the CPU."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.cpu.amp.autocast)
def cpu_autocast(enabled=True, dtype=None, cache_enabled=True):
    return oneflow.autocast("cpu", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)
