"""torch.cuda: what the allocator counts, what the driver tells (by pynvml, as in torch), seeds."""

import os

import paddle
import torch

from rewriters.rule import alias, becomes, family, rule

becomes(torch.cuda.check_error, paddle.cuda.check_error)

alias(torch.OutOfMemoryError, "MemoryError")
alias(torch.cuda.OutOfMemoryError, "MemoryError")
alias(torch.cuda.has_half, "True")


@rule(torch.cuda.memory_stats)
def memory_stats(device=None):
    """Of torch's counts those that Paddle has."""
    return {
        "allocated_bytes.all.current": paddle.device.cuda.memory_allocated(device),
        "allocated_bytes.all.peak": paddle.device.cuda.max_memory_allocated(device),
        "reserved_bytes.all.current": paddle.device.cuda.memory_reserved(device),
        "reserved_bytes.all.peak": paddle.device.cuda.max_memory_reserved(device),
    }


@rule(torch.cuda.reset_accumulated_memory_stats)
def reset_accumulated_memory_stats(device=None):
    pass


@rule(torch.cuda.reset_accumulated_host_memory_stats, torch.cuda.reset_peak_host_memory_stats)
def reset_host_memory_stats():
    pass


@rule(torch.cuda.is_tf32_supported)
def is_tf32_supported():
    return paddle.device.cuda.get_device_capability()[0] >= 8


@rule(torch.cuda.initial_seed)
def cuda_initial_seed():
    return paddle.random.initial_seed()


@rule(torch.cuda.seed, torch.cuda.seed_all)
def cuda_seed():
    return paddle.seed(int.from_bytes(os.urandom(6), "little"))


def of_driver(device):
    """pynvml, and its handle of a device: None for the current one, a number, or a name."""
    import pynvml  # an installation of Paddle need not have it, as torch's need not

    pynvml.nvmlInit()
    if device is None:
        number = paddle.cuda.current_device()
    else:
        number = device if isinstance(device, int) else int(str(device).rpartition(":")[2])
    shown = os.environ.get("CUDA_VISIBLE_DEVICES")
    return pynvml, pynvml.nvmlDeviceGetHandleByIndex(int(shown.split(",")[number]) if shown else number)


@rule(torch.cuda.utilization)
def utilization(device=None):
    pynvml, handle = of_driver(device)
    return pynvml.nvmlDeviceGetUtilizationRates(handle).gpu


@rule(torch.cuda.memory_usage)
def memory_usage(device=None):
    pynvml, handle = of_driver(device)
    return pynvml.nvmlDeviceGetUtilizationRates(handle).memory


@family("temperature clock_rate", "nvmlDeviceGetTemperature nvmlDeviceGetClockInfo", "TEMPERATURE_GPU CLOCK_SM")
@rule(torch.cuda.temperature)
def temperature(device=None):
    pynvml, handle = of_driver(device)
    return pynvml.nvmlDeviceGetTemperature(handle, pynvml.NVML_TEMPERATURE_GPU)


@rule(torch.cuda.power_draw)
def power_draw(device=None):
    pynvml, handle = of_driver(device)
    return pynvml.nvmlDeviceGetPowerUsage(handle)


@rule(torch.cuda.device_memory_used)
def device_memory_used(device=None):
    pynvml, handle = of_driver(device)
    return pynvml.nvmlDeviceGetMemoryInfo(handle).used


@rule(torch.cuda.list_gpu_processes)
def list_gpu_processes(device=None):
    pynvml, handle = of_driver(device)
    lines = [f"GPU:{pynvml.nvmlDeviceGetIndex(handle)}"]
    for process in pynvml.nvmlDeviceGetComputeRunningProcesses(handle):
        lines.append(f"process {process.pid:>10d} uses {process.usedGpuMemory / 2**20:>12.3f} MB GPU memory")
    return "\n".join(lines if len(lines) > 1 else [*lines, "no processes are running"])


@rule(torch.cuda.can_device_access_peer)
def can_device_access_peer(device, peer_device):
    pynvml, handle = of_driver(device)
    status = pynvml.nvmlDeviceGetP2PStatus(handle, of_driver(peer_device)[1], pynvml.NVML_P2P_CAPS_INDEX_READ)
    return status == pynvml.NVML_P2P_STATUS_OK
