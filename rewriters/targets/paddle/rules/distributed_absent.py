"""torch.distributed: what Paddle has no counterpart for."""

import torch

from rewriters.rule import refuse

refuse(
    torch.distributed.AllToAllOptions,
    torch.distributed.AllreduceCoalescedOptions,
    torch.distributed.AllreduceOptions,
    torch.distributed.BackendConfig,
    torch.distributed.BarrierOptions,
    torch.distributed.BroadcastOptions,
    torch.distributed.BuiltinCommHookType,
    torch.distributed.DebugLevel,
    torch.distributed.GatherOptions,
    torch.distributed.GradBucket,
    torch.distributed.GroupName,
    torch.distributed.Logger,
    torch.distributed.QueueEmptyError,
    torch.distributed.ReduceOptions,
    torch.distributed.ReduceScatterOptions,
    torch.distributed.Reducer,
    torch.distributed.ScatterOptions,
    torch.distributed.record_comm,
    "part of torch's process groups, which Paddle's Group has none of: paddle.distributed.new_group(ranks) takes "
    "no such thing; remove it",
)
refuse(
    torch.distributed.FileStore,
    torch.distributed.HashStore,
    torch.distributed.PrefixStore,
    torch.distributed.register_rendezvous_handler,
    torch.distributed.rendezvous,
    "Paddle's processes find each other through its launcher; start them by python -m paddle.distributed.launch",
)
refuse(torch.distributed.ProcessGroupGloo, "Paddle's groups are of another class; use new_group")
refuse(torch.distributed.Work, "Paddle's tasks are of another class; the annotation can go")
refuse(
    torch.distributed.shrink_group,
    "Paddle's groups keep their ranks; make a new one with paddle.distributed.new_group(ranks)",
)
refuse(
    torch.distributed.split_group,
    "Paddle's groups cannot be split; make each part with paddle.distributed.new_group(ranks), in every process",
)
