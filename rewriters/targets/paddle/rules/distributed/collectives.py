"""Processes that train together: start, collectives, data parallelism."""

import paddle
import torch

from rewriters.rule import alias, becomes, family, rule, same

becomes(torch.distributed.destroy_process_group, paddle.distributed.destroy_process_group, group="/")

alias(torch.distributed.ReduceOp, "paddle.distributed.ReduceOp")
alias("torch.distributed.ReduceOp.SUM", "paddle.distributed.ReduceOp.SUM")
alias("torch.distributed.ReduceOp.AVG", "paddle.distributed.ReduceOp.AVG")
alias("torch.distributed.ReduceOp.PRODUCT", "paddle.distributed.ReduceOp.PROD")
alias("torch.distributed.ReduceOp.MIN", "paddle.distributed.ReduceOp.MIN")
alias("torch.distributed.ReduceOp.MAX", "paddle.distributed.ReduceOp.MAX")


same(
    "torch.distributed.P2POp",
    "torch.distributed.batch_isend_irecv",
    "torch.distributed.get_rank",
    "torch.distributed.get_world_size",
    "torch.distributed.is_available",
    "torch.distributed.is_initialized",
)


@rule(torch.distributed.init_process_group)
def init_process_group(
    backend=None,
    init_method=None,
    timeout=None,
    world_size=-1,
    rank=-1,
    store=None,
    group_name="",
    pg_options=None,
    device_id=None,
):
    # python -m paddle.distributed.launch tells each process its rank
    return paddle.distributed.init_parallel_env()


@rule(torch.distributed.get_backend)
def get_backend(group=None):
    # "GLOO", "NCCL"
    return paddle.distributed.get_backend(group).lower()


@rule(torch.distributed.barrier)
def barrier(group=None, async_op=False, device_ids=None):
    return paddle.distributed.barrier(group)


@rule(torch.distributed.all_reduce)
def all_reduce(tensor, op=paddle.distributed.ReduceOp.SUM, group=None, async_op=False):
    return paddle.distributed.all_reduce(tensor, op=op, group=group, sync_op=not async_op)


@rule(torch.distributed.all_reduce)
def all_reduce(tensor, *, group=None, async_op=False):
    return paddle.distributed.all_reduce(tensor, group=group, sync_op=not async_op)


@rule(torch.distributed.reduce)
def reduce(tensor, dst, *, group=None, async_op=False):
    return paddle.distributed.reduce(tensor, dst, group=group, sync_op=not async_op)


@rule(torch.distributed.reduce)
def reduce(tensor, dst, op, group=None, async_op=False):
    return paddle.distributed.reduce(tensor, dst, op=op, group=group, sync_op=not async_op)


@rule(torch.distributed.broadcast)
def broadcast(tensor, src, group=None, async_op=False):
    return paddle.distributed.broadcast(tensor, src, group=group, sync_op=not async_op)


def gathered(tensor_list, tensor, group):
    """Paddle appends to an empty list, torch fills the tensors that are there."""
    found = []
    paddle.distributed.all_gather(found, tensor, group=group)
    tensor_list[:] = found


@rule(torch.distributed.all_gather)
def all_gather(tensor_list, tensor, group=None, async_op=False):
    return gathered(tensor_list, tensor, group)


@rule(torch.distributed.all_gather_into_tensor)
def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    return paddle.distributed.communication.stream.all_gather(
        output_tensor, input_tensor, group=group, sync_op=not async_op
    )


def gathered_objects(object_list, obj, group):
    found = []
    paddle.distributed.all_gather_object(found, obj, group=group)
    object_list[:] = found


@rule(torch.distributed.all_gather_object)
def all_gather_object(object_list, obj, group=None):
    return gathered_objects(object_list, obj, group)


@family("gather scatter", "dst src")
@rule(torch.distributed.gather)
def gather(tensor, gather_list=None, dst=0, group=None, async_op=False):
    return paddle.distributed.gather(tensor, gather_list, dst=dst, group=group, sync_op=not async_op)


@rule(torch.distributed.reduce_scatter)
def reduce_scatter(output, input_list, op=paddle.distributed.ReduceOp.SUM, group=None, async_op=False):
    return paddle.distributed.reduce_scatter(output, input_list, op=op, group=group, sync_op=not async_op)


@rule(torch.distributed.reduce_scatter_tensor)
def reduce_scatter_tensor(output, input, op=paddle.distributed.ReduceOp.SUM, group=None, async_op=False):
    return paddle.distributed.communication.stream.reduce_scatter(
        output, input, op=op, group=group, sync_op=not async_op
    )


@rule(torch.distributed.all_to_all)
def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    return paddle.distributed.alltoall(output_tensor_list, input_tensor_list, group=group, sync_op=not async_op)


@rule(torch.distributed.all_to_all_single)
def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    return paddle.distributed.alltoall_single(
        output,
        input,
        in_split_sizes=input_split_sizes,
        out_split_sizes=output_split_sizes,
        group=group,
        sync_op=not async_op,
    )


@family("send recv", "dst src")
@rule(torch.distributed.send)
def send(tensor, dst, group=None, tag=0):
    return paddle.distributed.send(tensor, dst=dst, group=group)


@rule(torch.distributed.isend)
def isend(tensor, dst, group=None, tag=0):
    return paddle.distributed.isend(tensor, dst, group=group)


@rule(torch.distributed.irecv)
def irecv(tensor, src=None, group=None, tag=0):
    return paddle.distributed.irecv(tensor, src=src, group=group)


@rule(torch.distributed.broadcast_object_list)
def broadcast_object_list(object_list, src=0, group=None, device=None):
    return paddle.distributed.broadcast_object_list(object_list, src, group=group)


@rule(torch.distributed.scatter_object_list)
def scatter_object_list(scatter_object_output_list, scatter_object_input_list=None, src=0, group=None):
    return paddle.distributed.scatter_object_list(
        scatter_object_output_list, scatter_object_input_list, src=src, group=group
    )


@family("send recv", "dst src")
@rule(torch.distributed.send_object_list)
def send_object_list(object_list, dst=0, group=None, device=None):
    return paddle.distributed.send_object_list(object_list, dst=dst, group=group)


@rule(torch.distributed.new_group)
def new_group(ranks=None, timeout=None, backend=None, pg_options=None):
    return paddle.distributed.new_group(ranks)
