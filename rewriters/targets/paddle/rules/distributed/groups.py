"""torch.distributed: groups and ranks, meshes, stores, which backends there are, collectives over several tensors."""

import math
import pdb

import paddle
import torch

from rewriters.rule import alias, becomes, rule, same

becomes(torch.distributed.is_nccl_available, paddle.is_compiled_with_cuda)


# torch's default group: Paddle's functions take None for it
alias(torch.distributed.group.WORLD, "None")
alias(torch.distributed.GroupMember.WORLD, "None")
alias(torch.distributed.ProcessGroup, "paddle.distributed.communication.group.Group")
alias(torch.distributed.DistError, "RuntimeError")
alias(torch.distributed.DistBackendError, "RuntimeError")
alias(torch.distributed.DistNetworkError, "RuntimeError")
alias(torch.distributed.DistStoreError, "RuntimeError")


same("torch.distributed.Store.get", "torch.distributed.Store.set", "torch.distributed.Store.add")


@rule(torch.distributed.get_process_group_ranks)
def get_process_group_ranks(group):
    if group is None:
        return list(range(paddle.distributed.get_world_size()))
    return group.ranks


@rule(torch.distributed.get_global_rank)
def get_global_rank(group, group_rank):
    if group is None:
        return group_rank
    return group.ranks[group_rank]


@rule(torch.distributed.get_group_rank)
def get_group_rank(group, global_rank):
    if group is None:
        return global_rank
    return group.get_group_rank(global_rank)


@rule(torch.distributed.get_node_local_rank)
def get_node_local_rank(fallback_rank=None):
    return paddle.distributed.ParallelEnv().local_rank


@rule(torch.distributed.is_gloo_available)
def is_gloo_available():
    return True


@rule(
    torch.distributed.is_mpi_available,
    torch.distributed.is_ucc_available,
    torch.distributed.is_xccl_available,
    torch.distributed.is_torchelastic_launched,
)
def is_of_torch_available():
    return False


@rule(torch.distributed.is_backend_available)
def is_backend_available(backend):
    return backend == "gloo" or (backend == "nccl" and paddle.is_compiled_with_cuda())


@rule(torch.distributed.get_default_backend_for_device)
def get_default_backend_for_device(device):
    return "gloo" if str(device).startswith("cpu") else "nccl"


@rule(torch.distributed.supports_complex)
def supports_complex(reduceOp):
    return reduceOp in (paddle.distributed.ReduceOp.SUM, paddle.distributed.ReduceOp.AVG)


@rule(torch.distributed.monitored_barrier)
def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    # Paddle does not tell which rank is missing
    return paddle.distributed.barrier(group)


@rule(torch.distributed.breakpoint)
def breakpoint_of_rank(rank=0, skip=0, timeout_s=3600):
    if paddle.distributed.get_rank() == rank:
        pdb.set_trace()
    paddle.distributed.barrier()


@rule(torch.distributed.all_reduce_coalesced)
def all_reduce_coalesced(tensors, op=paddle.distributed.ReduceOp.SUM, group=None, async_op=False):
    if async_op:
        raise NotImplementedError("keep the tasks of paddle.distributed.all_reduce(tensor, sync_op=False) and wait")
    for tensor in tensors:
        paddle.distributed.all_reduce(tensor, op=op, group=group)


@rule(torch.distributed.all_gather_coalesced)
def all_gather_coalesced(output_tensor_lists, input_tensor_list, group=None, async_op=False):
    if async_op:
        raise NotImplementedError("keep the tasks of paddle.distributed.all_gather(..., sync_op=False) and wait")
    for place, tensor in enumerate(input_tensor_list):
        found = []
        paddle.distributed.all_gather(found, tensor, group=group)
        for row, value in zip(output_tensor_lists, found, strict=True):
            row[place].copy_(value)


@rule(torch.distributed.all_gather_single)
def all_gather_single(output_tensor, input_tensor, group=None, async_op=False):
    return paddle.distributed.communication.stream.all_gather(
        output_tensor, input_tensor, group=group, sync_op=not async_op
    )


@rule(torch.distributed.reduce_scatter_single)
def reduce_scatter_single(output, input, op=paddle.distributed.ReduceOp.SUM, group=None, async_op=False):
    return paddle.distributed.communication.stream.reduce_scatter(
        output, input, op=op, group=group, sync_op=not async_op
    )


@rule(torch.distributed.gather_object)
def gather_object(obj, object_gather_list=None, dst=0, group=None, group_dst=None):
    # Paddle gathers objects on all ranks only
    found = []
    paddle.distributed.all_gather_object(found, obj, group=group)
    here = paddle.distributed.get_rank() if group_dst is None else paddle.distributed.get_rank(group)
    if here == (dst if group_dst is None else group_dst):
        object_gather_list[:] = found


@rule(torch.distributed.new_subgroups_by_enumeration)
def new_subgroups_by_enumeration(ranks_per_subgroup_list, timeout=None, backend=None, pg_options=None, group_desc=None):
    """This rank's group, and all."""
    groups = [paddle.distributed.new_group(ranks) for ranks in ranks_per_subgroup_list]
    rank = paddle.distributed.get_rank()
    own = [group for group, ranks in zip(groups, ranks_per_subgroup_list, strict=True) if rank in ranks]
    return own[0] if own else None, groups


@rule(torch.distributed.new_subgroups)
def new_subgroups(group_size=None, group=None, timeout=None, backend=None, pg_options=None, group_desc=None):
    ranks = get_process_group_ranks(group)
    size = group_size or paddle.device.cuda.device_count()
    if len(ranks) % size:
        raise ValueError(f"The world size ({len(ranks)}) must be divisible by group_size={size}")
    return new_subgroups_by_enumeration([ranks[start : start + size] for start in range(0, len(ranks), size)])


@rule(torch.distributed.DeviceMesh)
def DeviceMesh(device_type, mesh, *, mesh_dim_names=None):
    names = None if mesh_dim_names is None else list(mesh_dim_names)
    return paddle.distributed.ProcessMesh(mesh.tolist() if isinstance(mesh, paddle.Tensor) else mesh, dim_names=names)


@rule(torch.distributed.init_device_mesh)
def init_device_mesh(device_type, mesh_shape, *, mesh_dim_names=None):
    return paddle.distributed.ProcessMesh(
        shape=list(mesh_shape),
        process_ids=list(range(math.prod(mesh_shape))),
        dim_names=None if mesh_dim_names is None else list(mesh_dim_names),
    )


@rule(torch.distributed.set_debug_level)
def set_debug_level(level):
    # Paddle's logs are the environment's GLOG_v
    pass


@rule(torch.distributed.set_debug_level_from_env)
def set_debug_level_from_env():
    pass


@rule(torch.distributed.TCPStore)
def TCPStore(
    host_name,
    port,
    world_size=None,
    is_master=False,
    timeout=None,
    wait_for_workers=True,
    multi_tenant=False,
    master_listen_fd=None,
    use_libuv=True,
):
    seconds = 900 if timeout is None else int(timeout.total_seconds())
    return paddle.base.core.TCPStore(host_name, port, is_master, world_size or 1, seconds)


@rule(torch.distributed.Store.wait)
def wait_for_keys(self, keys):
    for key in keys:
        self.wait(key)
