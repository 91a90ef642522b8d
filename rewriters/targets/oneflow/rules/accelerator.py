"""torch.accelerator: of accelerators OneFlow has GPUs."""

import oneflow
import torch

from rewriters.rule import refuse, rule


@rule(torch.accelerator.is_available)
def is_available():
    return oneflow.cuda.is_available()


@rule(torch.accelerator.current_accelerator)
def current_accelerator(check_available=False):
    return oneflow.device("cuda") if oneflow.cuda.is_available() else None


@rule(torch.accelerator.device_count)
def device_count():
    return oneflow.cuda.device_count()


@rule(torch.accelerator.current_device_index, torch.accelerator.current_device_idx)
def current_device_index():
    return oneflow.cuda.current_device()


@rule(torch.accelerator.set_device_index, torch.accelerator.set_device_idx)
def set_device_index(device):
    return oneflow.cuda.set_device(device)


@rule(torch.accelerator.synchronize)
def synchronize(device=None):
    return oneflow.cuda.synchronize(device)


@rule(torch.accelerator.empty_cache)
def empty_cache():
    return oneflow.cuda.empty_cache()


refuse(
    torch.accelerator.device_index, torch.accelerator.current_stream, torch.accelerator.set_stream,
    "OneFlow 0.9 has neither streams nor contexts of devices; name the device: x.to('cuda:1')",
)  # fmt: skip
refuse(
    torch.accelerator.memory_allocated, torch.accelerator.max_memory_allocated, torch.accelerator.memory_reserved,
    torch.accelerator.max_memory_reserved, torch.accelerator.reset_peak_memory_stats, torch.accelerator.memory_stats,
    torch.accelerator.get_memory_info, torch.accelerator.empty_host_cache,
    torch.accelerator.reset_accumulated_memory_stats, torch.accelerator.get_device_capability,
    "OneFlow 0.9 tells nothing of a device's memory or kind; nvidia-smi and pynvml do",
)  # fmt: skip
refuse(torch.accelerator.Graph, "OneFlow's graphs are oneflow.nn.Graph: `migrate convert --static`")
