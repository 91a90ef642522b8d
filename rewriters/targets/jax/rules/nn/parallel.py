"""torch.nn.parallel: one process has all devices. Parameters are on each of them, and a batch is shared out."""

import contextlib
import os
import warnings

import jax
import torch
from flax import nnx
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.modules.stored import each_variable
from rewriters.targets.jax.rules.ordered import mapped

same(
    "torch.nn.parallel.DistributedDataParallel.module", "torch.nn.DataParallel.module",
    "torch.nn.parallel.DistributedDataParallel.no_sync",
)  # fmt: skip


@rule(torch.nn.parallel.DistributedDataParallel)
class DistributedDataParallel(Module):
    """A module over a mesh of all devices: XLA adds the gradients of the parts of a batch up, as it does statistics of
    batch norms. A batch that the devices cannot share evenly is computed whole on each.
    """

    def __init__(
        self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True,
        process_group=None, bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False,
        gradient_as_bucket_view=False, static_graph=False,
    ):  # fmt: skip
        super().__init__()
        self.module, self.dim = module, dim
        self.mesh = Mesh(jax.devices(), ("data",))
        if jax.default_backend() == "cpu" and "NPROC" not in os.environ and self.mesh.size > (os.cpu_count() or 1):
            warnings.warn(
                f"{self.mesh.size} devices on {os.cpu_count()} cores may wait for each other for ever: set NPROC="
                f"{4 * self.mesh.size} in the environment, the number of XLA's threads",
                stacklevel=2,
            )
        everywhere = NamedSharding(self.mesh, PartitionSpec())
        for _, _, variable in each_variable(module, nnx.Variable):
            variable.set_value(jax.device_put(variable.get_value(), everywhere))

    def shared_out(self, values):
        def share(value):
            if not isinstance(value, jax.Array) or value.ndim <= self.dim or value.shape[self.dim] % self.mesh.size:
                return value
            return jax.device_put(value, NamedSharding(self.mesh, PartitionSpec(*[None] * self.dim, "data")))

        return mapped(share, values)

    def __call__(self, *inputs, **kwargs):
        return self.module(*self.shared_out(inputs), **self.shared_out(kwargs))

    @contextlib.contextmanager
    def no_sync(self):
        yield


@rule(torch.nn.DataParallel)
class DataParallel(DistributedDataParallel):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__(module, device_ids, output_device, dim)
