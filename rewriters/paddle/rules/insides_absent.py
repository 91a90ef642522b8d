"""torch.nn and torch.utils: insides and tools of torch that Paddle has no counterpart for."""

import torch

from rewriters.rule import refuse

refuse(
    torch.multiprocessing.ENV_VAR_PARALLEL_START,
    "Paddle starts processes with paddle.distributed.spawn or the launcher; remove it",
)
refuse(
    torch.multiprocessing.ProcessContext,
    "Paddle starts processes with paddle.distributed.spawn or the launcher; remove it",
)
refuse(
    torch.multiprocessing.ProcessExitedException,
    "Paddle starts processes with paddle.distributed.spawn or the launcher; remove it",
)
refuse(
    torch.multiprocessing.ProcessRaisedException,
    "Paddle starts processes with paddle.distributed.spawn or the launcher; remove it",
)
refuse(
    torch.multiprocessing.SpawnContext,
    "Paddle starts processes with paddle.distributed.spawn or the launcher; remove it",
)
refuse(torch.nn.LinearCrossEntropyOptions, "Paddle has no such layer; use Linear and CrossEntropyLoss")
refuse(torch.nn.factory_kwargs, "part of torch's own module; remove it")
refuse(torch.nn.functional.BroadcastingList1, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.BroadcastingList2, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.BroadcastingList3, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.GRID_SAMPLE_INTERPOLATION_MODES, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.GRID_SAMPLE_PADDING_MODES, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.ScalingType, "Paddle has no product of scaled matrices; scale and multiply")
refuse(torch.nn.functional.SwizzleType, "Paddle has no product of scaled matrices; scale and multiply")
refuse(torch.nn.functional.assert_int_or_pair, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.boolean_dispatch, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.handle_torch_function, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.reproducibility_notes, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.scaled_grouped_mm, "Paddle has no product of scaled matrices; scale and multiply")
refuse(torch.nn.functional.scaled_mm, "Paddle has no product of scaled matrices; scale and multiply")
refuse(torch.nn.functional.sparse_support_notes, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.tf32_notes, "the inside of torch's own module; remove it")
refuse(torch.nn.modules.batchnorm.sync_batch_norm, "the inside of SyncBatchNorm; use the layer")
refuse(torch.nn.modules.conv.convolution_notes, "part of torch itself; remove it")
refuse(torch.nn.modules.conv.reproducibility_notes, "part of torch itself; remove it")
refuse(
    torch.nn.parallel.DistributedDataParallelCPU,
    "Paddle runs one process per device; use paddle.DataParallel under the launcher",
)
refuse(
    torch.nn.parallel.data_parallel, "Paddle runs one process per device; use paddle.DataParallel under the launcher"
)
refuse(torch.nn.parallel.gather, "Paddle runs one process per device; use paddle.DataParallel under the launcher")
refuse(
    torch.nn.parallel.parallel_apply, "Paddle runs one process per device; use paddle.DataParallel under the launcher"
)
refuse(torch.nn.parallel.replicate, "Paddle runs one process per device; use paddle.DataParallel under the launcher")
refuse(torch.nn.parallel.scatter, "Paddle runs one process per device; use paddle.DataParallel under the launcher")
refuse(torch.nn.utils.rnn.copy_method_params, "part of torch's own module; remove it")
refuse(torch.utils.ThroughputBenchmark, "part of torch itself; remove it")
refuse(
    torch.utils.checkpoint.CheckpointError,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.CheckpointFunction,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.CheckpointPolicy,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.DefaultDeviceType,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.GraphExecGroup,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.LoggingTensorMode,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.SAC_IGNORED_OPS,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.SavedTensor,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.SelectiveCheckpointContext,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.TorchDispatchMode,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.capture_logs,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.check_backward_validity,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.create_selective_checkpoint_contexts,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.detach_variable,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.get_device_states,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.noop_context_fn,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.set_device_states,
    "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute",
)
refuse(
    torch.utils.checkpoint.tree_map, "the inside of torch's checkpointing; use paddle.distributed.fleet.utils.recompute"
)
refuse(torch.utils.cmake_prefix_path, "part of torch itself; remove it")
refuse(
    torch.utils.data._utils.collate.collate,
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
)
refuse(
    torch.utils.data._utils.collate.collate_float_fn,
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
)
refuse(
    torch.utils.data._utils.collate.collate_int_fn,
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
)
refuse(
    torch.utils.data._utils.collate.collate_numpy_array_fn,
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
)
refuse(
    torch.utils.data._utils.collate.collate_numpy_scalar_fn,
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
)
refuse(
    torch.utils.data._utils.collate.collate_str_fn,
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
)
refuse(
    torch.utils.data._utils.collate.collate_tensor_fn,
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
)
refuse(
    torch.utils.data._utils.collate.default_collate_err_msg_format,
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
)
refuse(
    torch.utils.data._utils.collate.default_collate_fn_map,
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
)
refuse(torch.utils.data.dataloader.ExceptionWrapper, "the inside of torch's loader; remove it")
refuse(torch.utils.data.dataset.default_generator, "Paddle shuffles by numpy's random numbers; remove it")
refuse(torch.utils.dlpack.DLDeviceType, "part of torch's DLPack; remove it")
refuse(torch.utils.generate_methods_for_privateuse1_backend, "part of torch itself; remove it")
refuse(torch.utils.get_cpp_backtrace, "part of torch itself; remove it")
refuse(torch.utils.hooks.BackwardHook, "Paddle's hooks return a HookRemoveHelper; call its remove()")
refuse(torch.utils.hooks.RemovableHandle, "Paddle's hooks return a HookRemoveHelper; call its remove()")
refuse(torch.utils.hooks.unserializable_hook, "Paddle's hooks return a HookRemoveHelper; call its remove()")
refuse(torch.utils.hooks.warn_if_has_hooks, "Paddle's hooks return a HookRemoveHelper; call its remove()")
refuse(torch.utils.rename_privateuse1_backend, "part of torch itself; remove it")
refuse(torch.utils.swap_tensors, "part of torch itself; remove it")
refuse(
    torch.nn.functional.multi_head_attention_forward,
    "the inside of MultiheadAttention; use the layer, or scaled_dot_product_attention on projected tensors",
)
refuse(torch.lobpcg, "Paddle has no lobpcg; use paddle.linalg.eigh")
