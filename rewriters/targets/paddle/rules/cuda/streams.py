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


@rule(torch.cuda.nvtx.mark)
def nvtx_mark(msg):
    # a range without length
    paddle.cuda.nvtx.range_push(msg)
    paddle.cuda.nvtx.range_pop()


def on_device(tensor, device):
    """A copy on a device, by its number or its name; -1 and "cpu" are the processor."""
    if not isinstance(device, int):
        name = str(device)
        device = -1 if "cpu" in name else int(name.rpartition(":")[2].rstrip(")"))
    return tensor.cpu() if device < 0 else tensor.cuda(device)


@rule(torch.cuda.comm.broadcast)
def comm_broadcast(tensor, devices=None, *, out=None):
    if out is None:
        return tuple(on_device(tensor, device) for device in devices)
    for copy in out:
        copy.copy_(tensor)
    return tuple(out)


@rule(torch.cuda.comm.broadcast_coalesced)
def comm_broadcast_coalesced(tensors, devices, buffer_size=10485760):
    return [tuple(on_device(tensor, device) for tensor in tensors) for device in devices]


@rule(torch.cuda.comm.reduce_add)
def comm_reduce_add(inputs, destination=None):
    device = paddle.cuda.current_device() if destination is None else destination
    return paddle.add_n([on_device(tensor, device) for tensor in inputs])


@rule(torch.cuda.comm.reduce_add_coalesced)
def comm_reduce_add_coalesced(inputs, destination=None, buffer_size=10485760):
    return tuple(comm_reduce_add(list(tensors), destination) for tensors in zip(*inputs, strict=True))


@rule(torch.cuda.comm.scatter)
def comm_scatter(tensor, devices=None, chunk_sizes=None, dim=0, streams=None, *, out=None):
    if out is not None:
        chunk_sizes = [part.shape[dim] for part in out]
    elif chunk_sizes is None:
        length = tensor.shape[dim]
        size = -(-length // len(devices))
        chunk_sizes = [min(size, length - start) for start in range(0, length, size)]
    parts = paddle.split(tensor, chunk_sizes, axis=dim)
    if out is None:
        return tuple(on_device(part, device) for part, device in zip(parts, devices, strict=False))
    for target, part in zip(out, parts, strict=True):
        target.copy_(part)
    return tuple(out)


@rule(torch.cuda.comm.gather)
def comm_gather(tensors, dim=0, destination=None, *, out=None):
    device = paddle.cuda.current_device() if destination is None else destination
    if out is not None:
        return out.copy_(paddle.concat([tensor.to(out.place) for tensor in tensors], axis=dim))
    return paddle.concat([on_device(tensor, device) for tensor in tensors], axis=dim)
