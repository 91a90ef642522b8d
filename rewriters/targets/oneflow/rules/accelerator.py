"""torch.accelerator: of accelerators OneFlow has GPUs."""

import oneflow
import torch

from rewriters.rule import family, rule


@family("is device empty", "available count cache")
@rule(torch.accelerator.is_available)
def is_available():
    return oneflow.cuda.is_available()


@rule(torch.accelerator.current_accelerator)
def current_accelerator(check_available=False):
    return oneflow.device("cuda") if oneflow.cuda.is_available() else None


@rule(torch.accelerator.current_device_index, torch.accelerator.current_device_idx)
def current_device_index():
    return oneflow.cuda.current_device()


@rule(torch.accelerator.set_device_index, torch.accelerator.set_device_idx)
def set_device_index(device):
    return oneflow.cuda.set_device(device)


@rule(torch.accelerator.synchronize)
def synchronize(device=None):
    return oneflow.cuda.synchronize(device)
