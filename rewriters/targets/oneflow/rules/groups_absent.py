"""Groups of processes, and what they tell each other. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.distributed.Backend", "torch.distributed.BackendConfig", "torch.distributed.DeviceMesh",
    "torch.distributed.GroupMember", "torch.distributed.GroupName", "torch.distributed.ProcessGroup",
    "torch.distributed.get_backend", "torch.distributed.get_backend_config",
    "torch.distributed.get_default_backend_for_device", "torch.distributed.get_global_rank",
    "torch.distributed.get_group_rank", "torch.distributed.get_pg_count", "torch.distributed.get_process_group_ranks",
    "torch.distributed.group", "torch.distributed.init_device_mesh", "torch.distributed.new_group",
    "torch.distributed.new_subgroups", "torch.distributed.new_subgroups_by_enumeration",
    "torch.distributed.register_rendezvous_handler", "torch.distributed.shrink_group", "torch.distributed.split_group",
    "torch.distributed.supports_complex",
    "OneFlow's processes are one group, started by python -m oneflow.distributed.launch; leave groups out",
)  # fmt: skip
refuse(
    "torch.distributed.is_backend_available", "torch.distributed.is_gloo_available",
    "torch.distributed.is_mpi_available", "torch.distributed.is_torchelastic_launched",
    "torch.distributed.is_ucc_available", "torch.distributed.is_xccl_available",
    "OneFlow has its own backend, and no others to ask for; remove the question",
)  # fmt: skip
refuse(
    "torch.distributed.DistBackendError", "torch.distributed.DistError", "torch.distributed.DistNetworkError",
    "torch.distributed.DistStoreError", "torch.distributed.QueueEmptyError",
    "OneFlow has no exceptions of its processes; catch RuntimeError",
)  # fmt: skip
refuse(
    "torch.distributed.ReduceOp",
    "OneFlow's oneflow.comm.all_reduce sums alone; for others reduce what oneflow.comm.all_gather gives",
)  # fmt: skip
refuse(
    "torch.distributed.P2POp", "torch.distributed.batch_isend_irecv", "torch.distributed.irecv",
    "torch.distributed.isend",
    "OneFlow's oneflow.comm sends and receives at once; call oneflow.comm.send and oneflow.comm.recv in order",
)  # fmt: skip
refuse(
    "torch.distributed.all_gather_object", "torch.distributed.broadcast_object_list", "torch.distributed.gather_object",
    "torch.distributed.recv_object_list", "torch.distributed.scatter_object_list", "torch.distributed.send_object_list",
    "OneFlow's oneflow.comm passes tensors alone; pass objects through files, or as tensors of their bytes",
)  # fmt: skip
refuse(
    "torch.distributed.all_gather_coalesced", "torch.distributed.all_gather_single",
    "torch.distributed.all_reduce_coalesced", "torch.distributed.all_to_all_single",
    "torch.distributed.reduce_scatter_single",
    "OneFlow's oneflow.comm has no such collective; use oneflow.comm.all_gather, all_reduce, all_to_all or "
    "reduce_scatter for each tensor",
)  # fmt: skip
refuse(
    "torch.distributed.breakpoint", "torch.distributed.get_debug_level", "torch.distributed.monitored_barrier",
    "torch.distributed.record_comm", "torch.distributed.set_debug_level", "torch.distributed.set_debug_level_from_env",
    "OneFlow has nothing that watches its processes; leave it out, oneflow.comm.barrier() waits for all",
)  # fmt: skip
refuse(
    "torch.multiprocessing.spawn",
    "OneFlow's spawned processes are each alone; start those that train together by python -m "
    "oneflow.distributed.launch, others by oneflow.multiprocessing.spawn itself",
)  # fmt: skip
