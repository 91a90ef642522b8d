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
refuse(torch.distributed.FileStore, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.GatherOptions, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.GradBucket, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.GroupName, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.HashStore, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.Logger, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.PrefixStore, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.ProcessGroupGloo, "Paddle's groups are of another class; use new_group")
refuse(torch.distributed.QueueEmptyError, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.ReduceOptions, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(
    torch.distributed.ReduceScatterOptions,
    "part of torch's own process groups; Paddle's have another form: remove it",
)
refuse(torch.distributed.Reducer, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.ScatterOptions, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.Work, "Paddle's tasks are of another class; the annotation can go")
refuse(torch.distributed.record_comm, "part of torch's own process groups; Paddle's have another form: remove it")
refuse(torch.distributed.register_rendezvous_handler, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.rendezvous, "Paddle's processes find each other through its launcher")
refuse(torch.distributed.shrink_group, "make a new one with paddle.distributed.new_group(ranks)")
refuse(torch.distributed.split_group, "make each with paddle.distributed.new_group(ranks)")
