"""Devices: torch.device, torch.cuda, and what is asked of a tensor's place."""

import paddle
import torch

from rewriters.rule import alias, becomes, family, rule

becomes(
    torch.cuda.memory_allocated, torch.accelerator.memory_allocated, paddle.device.cuda.memory_allocated, device="/"
)
becomes(
    torch.cuda.max_memory_allocated,
    torch.accelerator.max_memory_allocated,
    paddle.device.cuda.max_memory_allocated,
    device="/",
)
becomes(torch.cuda.reset_max_memory_allocated, paddle.device.cuda.reset_max_memory_allocated, device="/")
becomes(torch.cuda.reset_max_memory_cached, paddle.device.cuda.reset_max_memory_reserved, device="/")
becomes(torch.cuda.memory_summary, paddle.device.cuda.memory_summary, device="/", abbreviated=None)
becomes(torch.cuda.mem_get_info, torch.accelerator.get_memory_info, paddle.cuda.mem_get_info, device="/")
becomes(torch.cuda.get_stream_from_external, paddle.device.get_stream_from_external, device="/")
becomes(torch.cuda.is_bf16_supported, paddle.amp.is_bfloat16_supported, including_emulation=None)
becomes(
    torch.cuda.current_device,
    torch.accelerator.current_device_index,
    torch.accelerator.current_device_idx,
    paddle.cuda.current_device,
)
becomes(
    torch.cuda.set_device, torch.accelerator.set_device_index, torch.accelerator.set_device_idx, paddle.cuda.set_device
)
becomes(torch.cuda.empty_cache, torch.accelerator.empty_cache, paddle.device.cuda.empty_cache)
becomes(torch.cuda.set_stream, torch.accelerator.set_stream, paddle.device.set_stream)
becomes(torch.cuda.is_current_stream_capturing, paddle.device.is_current_stream_capturing)
becomes(torch.cuda.cudart, paddle.cuda.cudart)
becomes(torch.cuda.get_rng_state, paddle.get_cuda_rng_state, device=None)
becomes(torch.cuda.get_rng_state_all, paddle.get_cuda_rng_state)
becomes(torch.cuda.set_rng_state, paddle.set_cuda_rng_state, device=None)
becomes(torch.cuda.set_rng_state_all, paddle.set_cuda_rng_state)

alias(torch.cuda.is_available, "paddle.cuda.is_available")
alias(torch.cuda.device_count, "paddle.cuda.device_count")
alias(torch.cuda.Stream, "paddle.device.Stream")
alias(torch.cuda.Event, "paddle.device.Event")


@rule(torch.cuda.init)
def init():
    return None


@family("is ipc", "initialized collect")
@rule(torch.cuda.is_initialized)
def is_initialized():
    return paddle.cuda.is_initialized()


@rule(torch.cuda.device, torch.accelerator.device_index)
def cuda_device(device):
    return paddle.cuda.device(device)


@family("synchronize reset_peak_memory_stats current_stream")
@rule(torch.cuda.synchronize, torch.accelerator.synchronize)
def synchronize(device=None):
    return paddle.device.synchronize(device)


@family("name properties capability")
@rule(torch.cuda.get_device_name)
def get_device_name(device=None):
    return paddle.device.cuda.get_device_name(device)


@family("memory max_memory")
@rule(torch.cuda.memory_reserved, torch.cuda.memory_cached, torch.accelerator.memory_reserved)
def memory_reserved(device=None):
    return paddle.device.cuda.memory_reserved(device)


@rule(torch.cuda.stream, torch.cuda.StreamContext)
def stream(stream):
    return paddle.device.stream_guard(stream)


@rule(torch.cuda.ExternalStream)
def ExternalStream(stream_ptr, device=None):
    return paddle.device.get_stream_from_external(stream_ptr, device)
