"""torch.cuda.comm: between the devices of one process."""

import paddle
import torch

from rewriters.rule import rule


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
