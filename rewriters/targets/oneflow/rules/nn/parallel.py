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


class OfDistributed(type):
    """OneFlow's function gives the module itself, prepared."""

    def __instancecheck__(cls, value):
        return hasattr(value, "_ddp_state_for_reversed_params")


@rule("torch.nn.parallel.DistributedDataParallel:test")
class Distributed(metaclass=OfDistributed):
    """What isinstance() takes for a module that several processes train."""


@rule("torch.nn.parallel.DistributedDataParallel.module")
def module_of_distributed(self):
    return self
