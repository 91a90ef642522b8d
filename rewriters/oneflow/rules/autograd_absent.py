"""Tools of automatic differentiation. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.Tensor.grad_dtype", "torch.Tensor.is_inference", "torch.Tensor.output_nr",
    "torch.Tensor.register_post_accumulate_grad_hook", "torch.Tensor.reinforce", "torch.Tensor.volatile",
    "torch.autograd.DeviceType", "torch.autograd.NestedIOFunction", "torch.autograd.ProfilerActivity",
    "torch.autograd.ProfilerConfig", "torch.autograd.ProfilerEvent", "torch.autograd.ProfilerState",
    "torch.autograd.detect_anomaly", "torch.autograd.enforce_grad_layout_policy",
    "torch.autograd.forward_ad.UnpackedDualTensor", "torch.autograd.forward_ad.dual_level",
    "torch.autograd.forward_ad.enter_dual_level", "torch.autograd.forward_ad.exit_dual_level",
    "torch.autograd.forward_ad.make_dual", "torch.autograd.forward_ad.unpack_dual",
    "torch.autograd.function.BackwardCFunction", "torch.autograd.function.FunctionCtx",
    "torch.autograd.function.FunctionMeta", "torch.autograd.function.InplaceFunction",
    "torch.autograd.function.custom_function_call",
    "torch.autograd.functional.hessian", "torch.autograd.functional.hvp", "torch.autograd.functional.jacobian",
    "torch.autograd.functional.jvp", "torch.autograd.functional.vhp", "torch.autograd.functional.vjp",
    "torch.autograd.gradcheck", "torch.autograd.gradgradcheck", "torch.autograd.is_multithreading_enabled",
    "torch.autograd.is_tensor_like", "torch.autograd.is_view_replay_enabled", "torch.autograd.kineto_available",
    "torch.autograd.set_detect_anomaly", "torch.autograd.set_multithreading_enabled", "torch.autograd.variable",
    "torch.gradient", "torch.is_anomaly_check_nan_enabled", "torch.is_anomaly_enabled", "torch.is_inference",
    "torch.is_inference_mode_enabled", "torch.set_anomaly_enabled", "torch.utils.checkpoint.CheckpointError",
    "torch.utils.checkpoint.CheckpointFunction", "torch.utils.checkpoint.CheckpointPolicy",
    "torch.utils.checkpoint.GraphExecGroup", "torch.utils.checkpoint.LoggingTensorMode",
    "torch.utils.checkpoint.SAC_IGNORED_OPS", "torch.utils.checkpoint.SavedTensor",
    "torch.utils.checkpoint.SelectiveCheckpointContext", "torch.utils.checkpoint.capture_logs",
    "torch.utils.checkpoint.check_backward_validity", "torch.utils.checkpoint.checkpoint_sequential",
    "torch.utils.checkpoint.create_selective_checkpoint_contexts", "torch.utils.checkpoint.detach_variable",
    "torch.utils.checkpoint.get_device_states", "torch.utils.checkpoint.noop_context_fn",
    "torch.utils.checkpoint.set_checkpoint_debug_enabled", "torch.utils.checkpoint.set_checkpoint_early_stop",
    "torch.utils.checkpoint.set_device_states",
    "OneFlow 0.9's autograd has backward, grad and Function alone; "
    "write the derivative, or take it by finite differences",
)  # fmt: skip
refuse(
    "torch.cond", "torch.func.debug_unwrap", "torch.func.functional_call", "torch.func.functionalize",
    "torch.func.grad", "torch.func.grad_and_value", "torch.func.hessian", "torch.func.jacfwd", "torch.func.jacrev",
    "torch.func.jvp", "torch.func.linearize", "torch.func.rearrange", "torch.func.replace_all_batch_norm_modules_",
    "torch.func.stack_module_state", "torch.func.vjp", "torch.functional.overload", "torch.vmap",
    "torch.while_loop",
    "OneFlow 0.9 transforms no functions; write the loop over the batch, or the derivative",
)  # fmt: skip
