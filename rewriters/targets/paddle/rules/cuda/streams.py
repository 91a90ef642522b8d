"""torch.cuda: graphs, copies between the devices of one process, what was built for which GPU."""

import contextlib

import paddle
import torch

from rewriters.rule import alias, rule, same

alias(torch.cuda.CUDAGraph, "paddle.device.cuda.graphs.CUDAGraph")
alias(torch.cuda.CudaError, "paddle.cuda.CudaError")


same(
    "torch.cuda.CUDAGraph.capture_begin",
    "torch.cuda.CUDAGraph.capture_end",
    "torch.cuda.CUDAGraph.replay",
    "torch.cuda.CUDAGraph.reset",
)


@rule(torch.cuda.graph)
class graph_capture:
    """The kernels started inside become the graph's."""

    def __init__(self, cuda_graph, pool=None, stream=None, capture_error_mode="thread_local"):
        self.graph = cuda_graph

    def __enter__(self):
        paddle.device.synchronize()
        self.graph.capture_begin()

    def __exit__(self, *failure):
        self.graph.capture_end()


@rule(torch.cuda.set_sync_debug_mode)
def set_sync_debug_mode(debug_mode):
    if debug_mode not in (0, "default"):
        raise NotImplementedError("Paddle does not tell when a call waits for the GPU; use paddle.profiler")


@rule(torch.cuda.get_sync_debug_mode)
def get_sync_debug_mode():
    return 0


@rule(torch.cuda.get_arch_list)
def get_arch_list():
    return [f"sm_{number}" for number in paddle.version.cuda_archs()]


@rule(torch.cuda.get_gencode_flags)
def get_gencode_flags():
    return " ".join(f"-gencode compute=compute_{number},code=sm_{number}" for number in paddle.version.cuda_archs())


@rule(torch.cuda.device_of)
def device_of(obj):
    # the device of a tensor on a GPU is the current one inside
    if obj.place.is_gpu_place():
        return paddle.cuda.device(obj.place.gpu_device_id())
    return contextlib.nullcontext()


@rule(torch.cuda.memory_stats_as_nested_dict)
def memory_stats_as_nested_dict(device=None):
    """Of torch's counts those that Paddle has."""
    cuda = paddle.device.cuda
    allocated = {"current": cuda.memory_allocated(device), "peak": cuda.max_memory_allocated(device)}
    reserved = {"current": cuda.memory_reserved(device), "peak": cuda.max_memory_reserved(device)}
    return {"allocated_bytes": {"all": allocated}, "reserved_bytes": {"all": reserved}}
