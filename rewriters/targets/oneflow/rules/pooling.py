"""torch: pooling."""

import oneflow
import torch

from rewriters.rule import rule
from rewriters.targets.oneflow.rules.nn.functional.pooling import average, batched, unbatched


@rule(torch.nn.functional.avg_pool1d, torch.avg_pool1d)
def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    input, alone = batched(input, 1)
    found = average(input, kernel_size, stride, padding, ceil_mode, count_include_pad, None, 1)
    return unbatched(found, alone)


@rule(torch.nn.functional.adaptive_avg_pool1d, torch.adaptive_avg_pool1d)
def adaptive_avg_pool1d(input, output_size):
    input, alone = batched(input, 1)
    size = [output_size] if isinstance(output_size, int) else list(output_size)
    return unbatched(oneflow.nn.functional.adaptive_avg_pool1d(input, size), alone)
