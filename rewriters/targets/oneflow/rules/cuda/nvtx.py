"""torch.cuda.nvtx."""

import oneflow
import torch

from rewriters.rule import becomes

becomes(torch.cuda.nvtx.range_push, oneflow.profiler.range_push)
becomes(torch.cuda.nvtx.range_pop, oneflow.profiler.range_pop)
