"""torch.accelerator: of accelerators the rules know GPUs."""

import paddle
import torch

from rewriters.rule import refuse, rule


@rule(torch.accelerator.is_available)
def is_available():
    return paddle.cuda.is_available()


@rule(torch.accelerator.current_accelerator)
def current_accelerator(check_available=False):
    return paddle.device("cuda") if paddle.cuda.is_available() else None


@rule(torch.accelerator.device_count)
def device_count():
    return paddle.cuda.device_count()


@rule(torch.accelerator.current_device_index, torch.accelerator.current_device_idx)
def current_device_index():
    return paddle.cuda.current_device()


@rule(torch.accelerator.set_device_index, torch.accelerator.set_device_idx)
def set_device_index(device):
    return paddle.cuda.set_device(device)


@rule(torch.accelerator.device_index)
def device_index(device):
    return paddle.cuda.device(device)


@rule(torch.accelerator.synchronize)
def synchronize(device=None):
    return paddle.device.synchronize(device)


@rule(torch.accelerator.current_stream)
def current_stream(device=None):
    return paddle.cuda.current_stream(device)


@rule(torch.accelerator.set_stream)
def set_stream(stream):
    return paddle.cuda.set_stream(stream)


@rule(torch.accelerator.empty_cache)
def empty_cache():
    return paddle.device.cuda.empty_cache()


@rule(torch.accelerator.memory_allocated)
def memory_allocated(device_index=None):
    return paddle.device.cuda.memory_allocated(device_index)


@rule(torch.accelerator.max_memory_allocated)
def max_memory_allocated(device_index=None):
    return paddle.device.cuda.max_memory_allocated(device_index)


@rule(torch.accelerator.memory_reserved)
def memory_reserved(device_index=None):
    return paddle.device.cuda.memory_reserved(device_index)


@rule(torch.accelerator.max_memory_reserved)
def max_memory_reserved(device_index=None):
    return paddle.device.cuda.max_memory_reserved(device_index)


@rule(torch.accelerator.reset_peak_memory_stats)
def reset_peak_memory_stats(device_index=None):
    return paddle.cuda.reset_peak_memory_stats(device_index)


@rule(torch.accelerator.get_memory_info)
def get_memory_info(device_index=None):
    return paddle.cuda.mem_get_info(device_index)


refuse(
    torch.accelerator.empty_host_cache, torch.accelerator.memory_stats,
    torch.accelerator.reset_accumulated_memory_stats,
    "Paddle counts less; use paddle.device.cuda.memory_allocated(device) and max_memory_allocated(device)",
)  # fmt: skip
refuse(
    torch.accelerator.get_device_capability,
    "Paddle tells no dtypes of a device; ask paddle.amp.is_bfloat16_supported() and is_float16_supported()",
)
refuse(torch.accelerator.Graph, "Paddle's are paddle.device.cuda.graphs.CUDAGraph; capture with capture_begin() there")
