"""torch.cuda.nvtx."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.cuda.nvtx.range_push)
def range_push(msg):
    return oneflow.profiler.range_push(msg)


@rule(torch.cuda.nvtx.range_pop)
def range_pop():
    return oneflow.profiler.range_pop()
