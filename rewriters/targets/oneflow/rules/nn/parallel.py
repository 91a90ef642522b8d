"""torch.nn: data parallelism."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.nn.parallel.DistributedDataParallel)
def DistributedDataParallel(
    module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True, process_group=None,
    bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False, gradient_as_bucket_view=False,
    static_graph=False,
):  # fmt: skip
    return oneflow.nn.parallel.DistributedDataParallel(module, broadcast_buffers=broadcast_buffers)
