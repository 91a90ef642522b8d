"""Processes that train together. OneFlow's are started by oneflow.distributed.launch and need no initialization;
tensors are passed between them by oneflow.comm.
"""

import oneflow
import torch

from rewriters.rule import alias, becomes, family, rule

becomes(torch.distributed.get_rank, oneflow.env.get_rank, group=None)
becomes(torch.distributed.get_world_size, oneflow.env.get_world_size, group=None)
becomes(torch.distributed.get_node_local_rank, oneflow.env.get_local_rank, fallback_rank=None)
becomes(torch.distributed.is_nccl_available, oneflow.cuda.is_available)

alias("torch.distributed.ReduceOp.SUM", '"sum"')
alias("torch.distributed.ReduceOp.AVG", '"avg"')
alias("torch.distributed.ReduceOp.PRODUCT", '"product"')
alias("torch.distributed.ReduceOp.MIN", '"min"')
alias("torch.distributed.ReduceOp.MAX", '"max"')


@rule(torch.distributed.init_process_group)
def init_process_group(
    backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="", pg_options=None,
    device_id=None,
):  # fmt: skip
    # python -m oneflow.distributed.launch tells each process its rank
    pass


@rule(torch.distributed.destroy_process_group)
def destroy_process_group(group=None):
    pass


@rule(torch.distributed.is_available)
def is_available():
    return True


@rule(torch.distributed.is_initialized)
def is_initialized():
    return oneflow.env.get_world_size() > 1


@rule(torch.distributed.barrier)
def barrier(group=None, async_op=False, device_ids=None):
    return oneflow.comm.barrier()


@rule(torch.distributed.ReduceOp)
class ReduceOp:
    """What tensors of several processes are made one by: OneFlow has the sum alone."""

    SUM, AVG, PRODUCT, MIN, MAX = "sum", "avg", "product", "min", "max"


def joined(tensor, op):
    """What the processes' tensors come to, in each process."""
    parts = [oneflow.empty_like(tensor) for _ in range(oneflow.env.get_world_size())]
    oneflow.comm.all_gather(parts, tensor)
    parts = oneflow.stack(parts)
    if op == "sum":
        return parts.sum(0)
    if op == "avg":
        return parts.sum(0) / len(parts)
    if op == "product":
        return parts.prod(0)
    if op in {"min", "max"}:
        return getattr(parts, op)(0)[0]
    raise NotImplementedError(f"OneFlow has no {op} between processes; gather the tensors, and compute it of these")


@rule(torch.distributed.all_reduce)
def all_reduce(tensor, *, group=None, async_op=False):
    return oneflow.comm.all_reduce(tensor)


@rule(torch.distributed.all_reduce)
def all_reduce_by(tensor, op="sum", group=None, async_op=False):
    tensor.copy_(joined(tensor, op))


@family("reduce reduce_scatter reduce_scatter_tensor", "tensor output output", "dst input_list input")
@rule(torch.distributed.reduce)
def reduce(tensor, dst, *, group=None, async_op=False):
    return oneflow.comm.reduce(tensor, dst)


@family(
    "broadcast all_gather all_gather_into_tensor all_to_all",
    "tensor tensor_list output_tensor output_tensor_list",
    "src tensor input_tensor input_tensor_list",
)
@rule(torch.distributed.broadcast)
def broadcast(tensor, src, group=None, async_op=False):
    return oneflow.comm.broadcast(tensor, src)


@family("scatter gather", "src dst")
@rule(torch.distributed.scatter)
def scatter(tensor, scatter_list=None, src=0, group=None, async_op=False):
    return oneflow.comm.scatter(tensor, scatter_list, src)


@rule(torch.distributed.send)
def send(tensor, dst, group=None, tag=0):
    return oneflow.comm.send(tensor, dst)


@rule(torch.distributed.recv)
def recv(tensor, src=None, group=None, tag=0):
    return oneflow.comm.recv(src, out=tensor)
