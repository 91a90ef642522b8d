"""torch.distributed: groups and ranks, of which there is one, and collectives of one process."""

import torch

from rewriters.rule import alias, rule
from rewriters.targets.jax.rules.distributed.collectives import Done, Started

alias(torch.distributed.group.WORLD, "None")
alias(torch.distributed.GroupMember.WORLD, "None")
alias(torch.distributed.DistError, "RuntimeError")
alias(torch.distributed.DistBackendError, "RuntimeError")
alias(torch.distributed.DistNetworkError, "RuntimeError")
alias(torch.distributed.DistStoreError, "RuntimeError")


@rule(torch.distributed.ProcessGroup)
class ProcessGroup:
    """Of the one process."""

    def rank(self):
        return 0

    def size(self):
        return 1


alias("torch.distributed.ReduceOp.SUM", '"sum"')
alias("torch.distributed.ReduceOp.AVG", '"avg"')
alias("torch.distributed.ReduceOp.PRODUCT", '"product"')
alias("torch.distributed.ReduceOp.MIN", '"min"')
alias("torch.distributed.ReduceOp.MAX", '"max"')


@rule(torch.distributed.ReduceOp)
class ReduceOp:
    SUM, AVG, PRODUCT, MIN, MAX = "sum", "avg", "product", "min", "max"
    BAND, BOR, BXOR = "band", "bor", "bxor"


@rule(torch.distributed.new_group)
def new_group(ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, **described):
    return ProcessGroup()


@rule(torch.distributed.new_subgroups)
def new_subgroups(group_size=None, group=None, timeout=None, backend=None, pg_options=None, group_desc=None):
    found = ProcessGroup()
    return found, [found]


@rule(torch.distributed.new_subgroups_by_enumeration)
def new_subgroups_by_enumeration(ranks_per_subgroup_list, timeout=None, backend=None, pg_options=None, group_desc=None):
    found = ProcessGroup()
    return found, [found]


@rule(torch.distributed.get_process_group_ranks)
def get_process_group_ranks(group):
    return [0]


@rule(torch.distributed.get_global_rank)
def get_global_rank(group, group_rank):
    return group_rank


@rule(torch.distributed.get_group_rank)
def get_group_rank(group, global_rank):
    return global_rank


@rule(torch.distributed.get_node_local_rank)
def get_node_local_rank(fallback_rank=None):
    return 0


@rule(torch.distributed.get_backend)
def get_backend(group=None):
    if not Started.now:
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return Started.backend


@rule(torch.distributed.get_default_backend_for_device)
def get_default_backend_for_device(device):
    return "gloo" if str(device).startswith("cpu") else "nccl"


@rule(
    torch.distributed.is_gloo_available,
    torch.distributed.is_mpi_available,
    torch.distributed.is_nccl_available,
    torch.distributed.is_ucc_available,
    torch.distributed.is_xccl_available,
    torch.distributed.is_torchelastic_launched,
)
def is_of_torch_available():
    return False


@rule(torch.distributed.is_backend_available)
def is_backend_available(backend):
    return False


@rule(torch.distributed.supports_complex)
def supports_complex(reduceOp):
    return reduceOp in (ReduceOp.SUM, ReduceOp.AVG)


@rule(torch.distributed.monitored_barrier)
def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    pass


@rule(torch.distributed.set_debug_level)
def set_debug_level(level):
    pass


@rule(torch.distributed.set_debug_level_from_env)
def set_debug_level_from_env():
    pass


@rule(torch.distributed.reduce)
def reduce(tensor, dst=None, op=None, group=None, async_op=False, group_dst=None):
    # of one process's it is the tensor itself
    return Done() if async_op else None


@rule(torch.distributed.all_reduce_coalesced)
def all_reduce_coalesced(tensors, op=None, group=None, async_op=False):
    pass


@rule(torch.distributed.broadcast_object_list)
def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    pass


@rule(torch.distributed.gather)
def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    gather_list[0] = tensor


@rule(torch.distributed.all_gather_object)
def all_gather_object(object_list, obj, group=None):
    object_list[0] = obj


@rule(torch.distributed.gather_object)
def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    object_gather_list[0] = obj


@rule(torch.distributed.scatter_object_list)
def scatter_object_list(
    scatter_object_output_list, scatter_object_input_list=None, src=None, group=None, group_src=None
):
    scatter_object_output_list[0] = scatter_object_input_list[0]


@rule(torch.distributed.all_gather_coalesced)
def all_gather_coalesced(output_tensor_lists, input_tensor_list, group=None, async_op=False):
    for place, tensor in enumerate(input_tensor_list):
        output_tensor_lists[0][place] = tensor


@rule(torch.distributed.all_to_all)
def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    output_tensor_list[0] = input_tensor_list[0]


@rule(torch.distributed.all_gather_into_tensor, torch.distributed.all_gather_single)
def all_gather_into_tensor(self, input_tensor, group=None, async_op=False):
    self = input_tensor.reshape(self.shape)
    return self


@rule(torch.distributed.all_to_all_single)
def all_to_all_single(self, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    self = input.reshape(self.shape)
    return self


@rule(torch.distributed.reduce_scatter)
def reduce_scatter(self, input_list, op=None, group=None, async_op=False):
    self = input_list[0]
    return self


@rule(torch.distributed.reduce_scatter_tensor, torch.distributed.reduce_scatter_single)
def reduce_scatter_tensor(self, input, op=None, group=None, async_op=False):
    self = input.reshape(self.shape)
    return self


@rule(torch.distributed.scatter)
def scatter(self, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    self = scatter_list[0]
    return self
