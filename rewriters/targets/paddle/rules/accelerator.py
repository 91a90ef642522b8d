"""torch.accelerator: of accelerators the rules know GPUs. What torch.cuda has too is in devices.py."""

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
