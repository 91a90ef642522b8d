"""torch: XPUs."""

import torch

from rewriters.rule import rule


# torch's xpu is a GPU of Intel's, mps one of Apple's: no target runs on either, whatever its own xpu is.
@rule(
    torch.xpu.is_available,
    torch.xpu.is_current_stream_capturing,
    torch.xpu.is_initialized,
    torch.xpu.is_bf16_supported,
    torch.xpu.is_tf32_supported,
)
def xpu_is_available(*args):
    return False


@rule(torch.is_vulkan_available, torch.backends.mps.is_available, torch.backends.mps.is_built, torch.mps.is_available)
def is_never_available():
    return False


@rule(torch.xpu.device_count, torch.mps.device_count)
def none_there():
    return 0


@rule(
    torch.xpu.manual_seed,
    torch.xpu.manual_seed_all,
    torch.mps.manual_seed,
)
def seed_of_absent_device(seed):
    # torch ignores it where there is no such device
    pass


@rule(torch.xpu.seed, torch.xpu.seed_all, torch.xpu.empty_cache)
def nothing_to_do():
    pass
