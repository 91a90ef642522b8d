"""torch.nn: data parallelism."""

import paddle
import torch

from rewriters.rule import becomes, rule

becomes(torch.nn.DataParallel, paddle.DataParallel, device_ids=None, output_device=None, dim=None)


# Data parallelism: one process per device; a single process runs the layer as it is.
@rule(torch.nn.parallel.DistributedDataParallel)
def DistributedDataParallel(
    module,
    device_ids=None,
    output_device=None,
    dim=0,
    broadcast_buffers=True,
    init_sync=True,
    process_group=None,
    bucket_cap_mb=25,
    find_unused_parameters=False,
    check_reduction=False,
    gradient_as_bucket_view=False,
    static_graph=False,
):
    return paddle.DataParallel(module, find_unused_parameters=find_unused_parameters, group=process_group)


@rule("torch.nn.DataParallel.module", "torch.nn.parallel.DistributedDataParallel.module")
def wrapped_module(self):
    return self._layers


@rule(torch.nn.parallel.DistributedDataParallel.no_sync)
def no_sync(self):
    return self.no_sync()
