"""Devices. JAX puts arrays on its accelerator where there is one; the computation goes where they are."""

import jax
import torch

from rewriters.rule import rule


@rule(torch.device)
def device(type=None, index=None):
    return jax.devices()[0]


@rule(torch.device.type)
def device_type(self):
    return "cuda" if self.platform == "gpu" else self.platform


@rule(torch.device.index)
def device_index(self):
    return self.id if self.platform == "gpu" else None


@rule("torch.device.type:unknown")
def device_type_of(device):
    return device_type(device) if isinstance(device, jax.Device) else device.type


@rule("torch.device.index:unknown")
def device_index_of(device):
    return device_index(device) if isinstance(device, jax.Device) else device.index
