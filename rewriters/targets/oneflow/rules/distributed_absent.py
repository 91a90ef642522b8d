"""Processes: what OneFlow's have no counterpart of. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.Future", "torch.FutureType", "torch.futures.S", "torch.futures.collect_all", "torch.futures.wait_all",
    "OneFlow 0.9 has no futures; its calls already return before the device has finished",
)  # fmt: skip
refuse(
    "torch.distributed.AllToAllOptions", "torch.distributed.AllreduceCoalescedOptions",
    "torch.distributed.AllreduceOptions", "torch.distributed.BarrierOptions", "torch.distributed.BroadcastOptions",
    "torch.distributed.BuiltinCommHookType", "torch.distributed.DebugLevel", "torch.distributed.FileStore",
    "torch.distributed.GatherOptions", "torch.distributed.GradBucket", "torch.distributed.HashStore",
    "torch.distributed.Logger", "torch.distributed.PrefixStore", "torch.distributed.ProcessGroupGloo",
    "torch.distributed.ReduceOptions", "torch.distributed.ReduceScatterOptions", "torch.distributed.Reducer",
    "torch.distributed.ScatterOptions", "torch.distributed.Store", "torch.distributed.TCPStore",
    "torch.distributed.Work", "torch.distributed.rendezvous", "torch.monitor.Aggregation", "torch.monitor.COUNT",
    "torch.monitor.Event", "torch.monitor.EventHandlerHandle", "torch.monitor.MAX", "torch.monitor.MEAN",
    "torch.monitor.MIN", "torch.monitor.STAT_EVENT", "torch.monitor.SUM", "torch.monitor.Stat",
    "torch.monitor.TensorboardEventHandler", "torch.monitor.VALUE", "torch.monitor.data_value_t",
    "torch.monitor.log_event", "torch.monitor.register_event_handler", "torch.monitor.unregister_event_handler",
    "torch.multiprocessing.ENV_VAR_PARALLEL_START", "torch.multiprocessing.ProcessContext",
    "torch.multiprocessing.SpawnContext", "torch.multiprocessing.init_reductions",
    "torch.multiprocessing.start_processes", "torch.nn.parallel.DistributedDataParallelCPU",
    "OneFlow's processes are one group, started by oneflow.distributed.launch; oneflow.comm has the collectives",
)  # fmt: skip
