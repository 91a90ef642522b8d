"""CUDA, its streams, memory and tools. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.OutOfMemoryError",
    "OneFlow 0.9 ends the process where memory runs out, with nothing to catch; ask for less",
)  # fmt: skip
refuse(
    "torch.AcceleratorError",
    "OneFlow 0.9 has no exception of devices; catch Exception",
)  # fmt: skip
refuse(
    "torch.Tensor.ipu", "torch.Tensor.mtia", "torch.Tensor.xpu",
    "OneFlow 0.9 knows the devices cpu and cuda; use x.cuda() or x.cpu()",
)  # fmt: skip
refuse(
    "torch.get_device_module",
    "OneFlow 0.9 has a module for one kind of device: oneflow.cuda; name it",
)  # fmt: skip
refuse(
    "torch.set_default_device",
    "OneFlow 0.9 makes tensors on the CPU where no device is given; pass device= to each",
)  # fmt: skip
refuse(
    "torch.Tensor.record_stream", "torch.cuda.Event", "torch.cuda.ExternalStream", "torch.cuda.Stream",
    "torch.cuda.StreamContext", "torch.cuda.current_stream", "torch.cuda.default_stream",
    "torch.cuda.get_stream_from_external", "torch.cuda.set_stream", "torch.cuda.stream",
    "OneFlow 0.9 orders work on a GPU by itself and shows no streams or events; leave them out, and time between "
    "calls of oneflow.cuda.synchronize()",
)  # fmt: skip
refuse(
    "torch.cuda.CUDAGraph", "torch.cuda.graph", "torch.cuda.graph_pool_handle",
    "torch.cuda.is_current_stream_capturing", "torch.cuda.make_graphed_callables",
    "OneFlow 0.9 captures no calls into a graph; write them as the build of a oneflow.nn.Graph",
)  # fmt: skip
refuse(
    "torch.cuda.CUDAPluggableAllocator", "torch.cuda.GreenContext", "torch.cuda.MemPool",
    "torch.cuda.caching_allocator_alloc", "torch.cuda.caching_allocator_delete",
    "torch.cuda.caching_allocator_disabled", "torch.cuda.caching_allocator_enable",
    "torch.cuda.change_current_allocator", "torch.cuda.get_allocator_backend",
    "torch.cuda.get_per_process_memory_fraction", "torch.cuda.ipc_collect",
    "torch.cuda.set_per_process_memory_fraction", "torch.cuda.use_mem_pool",
    "OneFlow 0.9 lets nobody choose how memory is allocated; leave it out, and give unused memory back by "
    "oneflow.cuda.empty_cache()",
)  # fmt: skip
refuse(
    "torch.cuda.clock_rate", "torch.cuda.device_memory_used", "torch.cuda.host_memory_stats",
    "torch.cuda.host_memory_stats_as_nested_dict", "torch.cuda.list_gpu_processes", "torch.cuda.max_memory_allocated",
    "torch.cuda.max_memory_cached", "torch.cuda.max_memory_reserved", "torch.cuda.mem_get_info",
    "torch.cuda.memory_allocated", "torch.cuda.memory_cached", "torch.cuda.memory_reserved",
    "torch.cuda.memory_snapshot", "torch.cuda.memory_stats", "torch.cuda.memory_stats_as_nested_dict",
    "torch.cuda.memory_summary", "torch.cuda.memory_usage", "torch.cuda.power_draw",
    "torch.cuda.reset_accumulated_host_memory_stats", "torch.cuda.reset_accumulated_memory_stats",
    "torch.cuda.reset_max_memory_allocated", "torch.cuda.reset_max_memory_cached",
    "torch.cuda.reset_peak_host_memory_stats", "torch.cuda.reset_peak_memory_stats", "torch.cuda.temperature",
    "torch.cuda.utilization",
    "OneFlow 0.9 does not measure a GPU's memory or load; ask nvidia-smi",
)  # fmt: skip
refuse(
    "torch.cuda.check_error", "torch.cuda.cudart", "torch.cuda.current_blas_handle", "torch.cuda.current_solver_handle",
    "OneFlow 0.9 does not show CUDA's own runtime and handles; load the library with ctypes.CDLL(...)",
)  # fmt: skip
refuse(
    "torch.compiled_with_cxx11_abi", "torch.cuda.get_arch_list", "torch.cuda.get_gencode_flags",
    "how torch was built; of OneFlow oneflow.sysconfig tells",
)  # fmt: skip
refuse(
    "torch.cuda.can_device_access_peer", "torch.cuda.is_bf16_supported", "torch.cuda.is_tf32_supported",
    "OneFlow 0.9 has no such question; compare oneflow.cuda.get_device_capability() with what is needed",
)  # fmt: skip
refuse(
    "torch.cuda.get_sync_debug_mode", "torch.cuda.set_sync_debug_mode",
    "OneFlow 0.9 does not tell where it waits for a GPU; leave it out",
)  # fmt: skip
refuse(
    "torch.cuda.device", "torch.cuda.device_of",
    "OneFlow 0.9 has no block in which another GPU is the current one; call oneflow.cuda.set_device(...), or pass "
    "device= to each tensor",
)  # fmt: skip
refuse(
    "torch.cuda.get_rng_state", "torch.cuda.get_rng_state_all", "torch.cuda.initial_seed", "torch.cuda.set_rng_state",
    "torch.cuda.set_rng_state_all",
    "OneFlow 0.9 does not show the generators of GPUs; give what draws one of its own, oneflow.Generator('cuda'), and "
    "seed that by manual_seed(...)",
)  # fmt: skip
refuse(
    "torch.cuda.nvtx.mark", "torch.cuda.nvtx.range", "torch.cuda.nvtx.range_end", "torch.cuda.nvtx.range_start",
    "OneFlow 0.9 has ranges that close in order alone: oneflow.profiler.range_push and range_pop",
)  # fmt: skip
refuse(
    "torch.cuda.comm.broadcast", "torch.cuda.comm.broadcast_coalesced", "torch.cuda.comm.gather",
    "torch.cuda.comm.reduce_add", "torch.cuda.comm.reduce_add_coalesced", "torch.cuda.comm.scatter",
    "OneFlow 0.9 runs one process for each GPU, so nothing is copied between GPUs of one process; use x.to(device), "
    "or oneflow.comm between processes",
)  # fmt: skip
refuse(
    "torch.autograd.profiler.EnforceUnique", "torch.autograd.profiler.EventList",
    "torch.autograd.profiler.FunctionEvent", "torch.autograd.profiler.KinetoStepTracker",
    "torch.autograd.profiler.MemRecordsAcc", "torch.autograd.profiler.emit_itt", "torch.autograd.profiler.emit_nvtx",
    "torch.autograd.profiler.load_nvprof", "torch.autograd.profiler.profile", "torch.autograd.profiler.record_function",
    "OneFlow 0.9's profiler is another one: with oneflow.profiler.profile(activities), and "
    "oneflow.profiler.record_function(name) inside it alone",
)  # fmt: skip
refuse(
    "torch.amp.custom_bwd", "torch.amp.custom_fwd", "torch.cuda.amp.custom_bwd", "torch.cuda.amp.custom_fwd",
    "OneFlow 0.9 has no such decorator; cast in forward and backward yourself, under oneflow.autocast('cuda', "
    "enabled=False)",
)  # fmt: skip
refuse(
    "torch.amp.is_autocast_available",
    "OneFlow 0.9 does not tell, its autocast takes cpu and cuda: compare with these",
)  # fmt: skip
refuse(
    "torch.Tensor.to_mkldnn",
    "OneFlow 0.9 has no tensors in oneDNN's formats; leave the call out",
)  # fmt: skip
refuse(
    "torch.nn.functional.grouped_mm", "torch.nn.functional.scaled_grouped_mm", "torch.nn.functional.scaled_mm",
    "OneFlow 0.9 has no product of scaled or grouped matrices; scale, and multiply each group by oneflow.matmul",
)  # fmt: skip
refuse(
    "torch.segment_reduce",
    "OneFlow 0.9 has no reduction of segments; reduce each part of oneflow.split(x, lengths)",
)  # fmt: skip
