"""What torch tells of GPUs and their memory, and Paddle does not."""

import torch

from rewriters.rule import refuse

refuse(
    torch.Tensor.ipu,
    torch.Tensor.xpu,
    torch.Tensor.mtia,
    "Paddle's tensors have no method for each device; write x.to('xpu'), which says what devices this Paddle knows",
)
refuse(
    torch.Tensor.record_stream,
    "Paddle's tensors are not told of streams; wait for the other stream, stream.synchronize(), before the tensor goes",
)
refuse(
    torch.Tensor.share_memory_,
    "Paddle's tensors are not shared between processes by a method; send x.numpy() through a queue of multiprocessing",
)
refuse(
    torch.cuda.graph_pool_handle,
    torch.cuda.make_graphed_callables,
    torch.cuda.CUDAPluggableAllocator,
    torch.cuda.MemPool,
    torch.cuda.use_mem_pool,
    torch.cuda.GreenContext,
    torch.cuda.caching_allocator_alloc,
    torch.cuda.caching_allocator_delete,
    torch.cuda.caching_allocator_disabled,
    torch.cuda.caching_allocator_enable,
    torch.cuda.change_current_allocator,
    torch.cuda.get_allocator_backend,
    torch.cuda.get_per_process_memory_fraction,
    torch.cuda.set_per_process_memory_fraction,
    torch.cuda.memory_snapshot,
    torch.cuda.host_memory_stats,
    torch.cuda.host_memory_stats_as_nested_dict,
    "Paddle's allocator is set by the environment (FLAGS_allocator_strategy, "
    "FLAGS_fraction_of_gpu_memory_to_use), and its graphs have their own memory "
    "(paddle.device.cuda.graphs.CUDAGraph); leave the call out or say it so",
)
refuse(
    torch.cuda.default_generators,
    torch.cuda.has_magma,
    torch.cuda.DeferredCudaCallError,
    torch.cuda.cudaStatus,
    "Paddle does not show this of the driver; nvidia-smi and pynvml do",
)
refuse(
    torch.cuda.default_stream,
    "Paddle does not name the default stream; keep paddle.device.current_stream() before another one is entered",
)
refuse(
    torch.cuda.current_blas_handle,
    torch.cuda.current_solver_handle,
    "Paddle does not show the handles of cuBLAS and cuSOLVER; an operator of your own in C++ makes its own "
    "(paddle.utils.cpp_extension)",
)
refuse(
    torch.has_openmp,
    torch.has_mkl,
    torch.compiled_with_cxx11_abi,
    "how torch was built; of Paddle paddle.version and paddle.sysconfig tell",
)
refuse(
    torch.cuda.nvtx.range_start,
    torch.cuda.nvtx.range_end,
    "Paddle has ranges that close in order alone: paddle.cuda.nvtx.range_push and range_pop",
)
