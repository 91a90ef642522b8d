"""torch.distributed: what Paddle has no counterpart for."""

import torch

from rewriters.rule import refuse

refuse(torch.distributed.AllToAllOptions, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(
    torch.distributed.AllreduceCoalescedOptions,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(
    torch.distributed.AllreduceOptions,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(torch.distributed.Backend, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.BackendConfig, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.BarrierOptions, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(
    torch.distributed.BroadcastOptions,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(
    torch.distributed.BuiltinCommHookType,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(torch.distributed.DebugLevel, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.DeviceMesh, "say it with paddle.distributed.ProcessMesh")
refuse(
    torch.distributed.DistBackendError,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(torch.distributed.DistError, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(
    torch.distributed.DistNetworkError,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(torch.distributed.DistStoreError, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.FileStore, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.GatherOptions, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.GradBucket, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.GroupMember, "Paddle's default group is None")
refuse(torch.distributed.GroupName, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.HashStore, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.Logger, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.PrefixStore, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.ProcessGroup, "Paddle's groups are of another class; the annotation can go")
refuse(torch.distributed.ProcessGroupGloo, "Paddle's groups are of another class; use new_group")
refuse(torch.distributed.QueueEmptyError, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.ReduceOptions, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(
    torch.distributed.ReduceScatterOptions,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(torch.distributed.Reducer, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.ScatterOptions, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.Store, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.TCPStore, "Paddle's processes find each other through its launcher; remove the store")
refuse(torch.distributed.Work, "Paddle's tasks are of another class; the annotation can go")
refuse(torch.distributed.all_gather_coalesced, "deprecated in torch; gather each tensor")
refuse(torch.distributed.all_gather_single, "use paddle.distributed.stream.all_gather(output, input)")
refuse(torch.distributed.all_reduce_coalesced, "deprecated in torch; reduce each tensor")
refuse(torch.distributed.breakpoint, "torch's own debugger; use pdb on one rank")
refuse(
    torch.distributed.gather_object,
    "Paddle gathers objects on all ranks only; use paddle.distributed.all_gather_object",
)
refuse(
    torch.distributed.get_backend_config,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(torch.distributed.get_debug_level, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(
    torch.distributed.get_default_backend_for_device,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(torch.distributed.get_global_rank, "Paddle's groups list their ranks: group.ranks[rank]")
refuse(torch.distributed.get_group_rank, "ask the group: group.get_group_rank(rank)")
refuse(torch.distributed.get_node_local_rank, "ask paddle.distributed.ParallelEnv().local_rank")
refuse(torch.distributed.get_pg_count, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.get_process_group_ranks, "Paddle's groups list their ranks: group.ranks")
refuse(torch.distributed.group, "Paddle's default group is None; pass None instead of group.WORLD")
refuse(torch.distributed.init_device_mesh, "say it with paddle.distributed.ProcessMesh")
refuse(torch.distributed.is_backend_available, "Paddle chooses its backend by itself; remove the check")
refuse(torch.distributed.is_gloo_available, "Paddle's CPU backend is always there; the answer is True")
refuse(torch.distributed.is_mpi_available, "Paddle has no MPI backend; the answer is False")
refuse(torch.distributed.is_nccl_available, "ask paddle.device.is_compiled_with_cuda()")
refuse(torch.distributed.is_torchelastic_launched, "Paddle's launcher is another one; remove the check")
refuse(torch.distributed.is_ucc_available, "Paddle has no UCC backend; the answer is False")
refuse(torch.distributed.is_xccl_available, "Paddle has no XCCL backend; the answer is False")
refuse(torch.distributed.monitored_barrier, "Paddle has no monitored barrier; use paddle.distributed.barrier()")
refuse(torch.distributed.new_subgroups, "make each with paddle.distributed.new_group(ranks)")
refuse(torch.distributed.new_subgroups_by_enumeration, "make each with paddle.distributed.new_group(ranks)")
refuse(torch.distributed.record_comm, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.reduce_scatter_single, "use paddle.distributed.stream.reduce_scatter(output, input)")
refuse(torch.distributed.register_rendezvous_handler, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.rendezvous, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.set_debug_level, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(
    torch.distributed.set_debug_level_from_env,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(torch.distributed.shrink_group, "make a new one with paddle.distributed.new_group(ranks)")
refuse(torch.distributed.split_group, "make each with paddle.distributed.new_group(ranks)")
refuse(
    torch.distributed.supports_complex,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
