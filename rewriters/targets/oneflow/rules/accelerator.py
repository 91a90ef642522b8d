"""torch.accelerator: of accelerators OneFlow has GPUs."""

import oneflow
import torch

from rewriters.rule import becomes, family, rule

becomes(torch.accelerator.synchronize, oneflow.cuda.synchronize, device="/")
becomes(torch.accelerator.current_device_index, torch.accelerator.current_device_idx, oneflow.cuda.current_device)
becomes(torch.accelerator.set_device_index, torch.accelerator.set_device_idx, oneflow.cuda.set_device)


@family("is device empty", "available count cache")
@rule(torch.accelerator.is_available)
def is_available():
    return oneflow.cuda.is_available()


@rule(torch.accelerator.current_accelerator)
def current_accelerator(check_available=False):
    return oneflow.device("cuda") if oneflow.cuda.is_available() else None
