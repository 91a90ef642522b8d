"""torch.accelerator and torch.cpu: the devices that there are."""

import contextlib

import jax
import torch

from rewriters.rule import rule


@rule(torch.accelerator.is_available)
def accelerator_is_available():
    return jax.default_backend() != "cpu"


@rule(torch.accelerator.device_count)
def accelerator_count():
    return jax.device_count() if jax.default_backend() != "cpu" else 0


@rule(torch.accelerator.current_accelerator)
def current_accelerator(check_available=False):
    return jax.devices()[0] if jax.default_backend() != "cpu" else None


@rule(torch.accelerator.current_device_index, torch.accelerator.current_device_idx)
def current_index():
    return 0


@rule(torch.accelerator.set_device_index, torch.accelerator.set_device_idx, torch.cpu.set_device)
def set_index(device):
    pass


@rule(torch.accelerator.synchronize)
def synchronize(device=None):
    jax.effects_barrier()


@rule(torch.accelerator.empty_cache)
def empty_cache():
    pass


@rule(torch.accelerator.device_index)
def device_index(device):
    return contextlib.nullcontext()


@rule(torch.cpu.current_device)
def cpu_current_device():
    return "cpu"


@rule(torch.cpu.device_count)
def cpu_device_count():
    return 1


@rule(torch.cpu.is_available, torch.cpu.is_initialized)
def cpu_is_available():
    return True


@rule(torch.cpu.synchronize)
def cpu_synchronize(device=None):
    jax.effects_barrier()
