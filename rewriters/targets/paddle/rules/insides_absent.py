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
    torch.multiprocessing.ProcessRaisedException,
    "paddle.distributed.spawn raises a plain Exception with the process's traceback; catch that",
)
refuse(
    torch.multiprocessing.SpawnContext,
    "Paddle starts processes with paddle.distributed.spawn or the launcher; remove it",
)
refuse(
    torch.nn.LinearCrossEntropyOptions,
    "says in how many parts torch computes the loss, which Paddle does at once; leave options out",
)
refuse(
    torch.nn.factory_kwargs,
    "sorts out device= and dtype= for torch's constructors; Paddle's take no device: pass dtype to "
    "paddle.zeros(shape, dtype) yourself",
)
refuse(
    torch.nn.functional.BroadcastingList1,
    torch.nn.functional.BroadcastingList2,
    torch.nn.functional.BroadcastingList3,
    "TorchScript's annotation; write int | list[int]",
)
refuse(torch.nn.functional.GRID_SAMPLE_INTERPOLATION_MODES, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.GRID_SAMPLE_PADDING_MODES, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.ScalingType, "Paddle has no product of scaled matrices; scale and multiply")
refuse(torch.nn.functional.SwizzleType, "Paddle has no product of scaled matrices; scale and multiply")
refuse(torch.nn.functional.assert_int_or_pair, "the inside of torch's own module; remove it")
refuse(torch.nn.functional.boolean_dispatch, "picks one of two functions for TorchScript; write the if")
refuse(
    torch.nn.functional.handle_torch_function,
    "calls __torch_function__, which Paddle's functions do not; remove the branch, has_torch_function is False",
)
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
refuse(torch.nn.utils.rnn.copy_method_params, "a decorator for type checkers, which runs nothing; remove it")
refuse(
    torch.utils.ThroughputBenchmark,
    "measures TorchScript modules; time the calls yourself, with time.perf_counter()",
)
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
refuse(
    torch.utils.data.dataloader.ExceptionWrapper,
    "the inside of torch's loader; Paddle's prints a worker's error and raises SystemError: remove it",
)
refuse(
    torch.utils.data.dataset.default_generator,
    "Paddle shuffles by numpy's random numbers; seed them with numpy.random.seed(...)",
)
refuse(torch.utils.dlpack.DLDeviceType, "part of torch's DLPack; remove it")
refuse(
    torch.utils.generate_methods_for_privateuse1_backend,
    torch.utils.rename_privateuse1_backend,
    "names a device of one's own; Paddle's custom devices are plugins with a name: "
    "paddle.device.get_all_custom_device_type()",
)
refuse(
    torch.utils.get_cpp_backtrace,
    "Paddle writes its C++ stack into the error: paddle.set_flags({'FLAGS_call_stack_level': 2})",
)
refuse(
    torch.utils.hooks.BackwardHook,
    "the inside of torch's backward hooks, which Paddle's layers have none of; register one on the tensor: "
    "tensor.register_hook(hook)",
)
refuse(
    torch.utils.hooks.RemovableHandle,
    "Paddle's layers give a HookRemoveHelper for a hook, its tensors another class; call remove(), and leave the "
    "class out",
)
refuse(
    torch.utils.hooks.unserializable_hook,
    torch.utils.hooks.warn_if_has_hooks,
    "Paddle saves tensors without their hooks; leave it out",
)
refuse(
    torch.utils.swap_tensors,
    "Paddle's tensors cannot trade places; trade their values: kept = a.clone(), then a.copy_(b) and b.copy_(kept)",
)
refuse(
    torch.nn.functional.multi_head_attention_forward,
    "the inside of MultiheadAttention; use the layer, or scaled_dot_product_attention on projected tensors",
)
refuse(torch.lobpcg, "Paddle has no lobpcg; use paddle.linalg.eigh")
