"""Tools of automatic differentiation. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.Tensor.output_nr", "torch.Tensor.reinforce", "torch.Tensor.volatile", "torch.autograd.DeviceType",
    "torch.autograd.ProfilerActivity", "torch.autograd.ProfilerConfig", "torch.autograd.ProfilerEvent",
    "torch.autograd.ProfilerState", "torch.autograd.function.FunctionCtx",
    "torch.autograd.function.custom_function_call", "torch.autograd.variable", "torch.is_anomaly_check_nan_enabled",
    "torch.is_anomaly_enabled", "torch.set_anomaly_enabled", "torch.utils.checkpoint.CheckpointError",
    "torch.utils.checkpoint.CheckpointFunction", "torch.utils.checkpoint.LoggingTensorMode",
    "torch.utils.checkpoint.SAC_IGNORED_OPS", "torch.utils.checkpoint.SavedTensor",
    "torch.utils.checkpoint.capture_logs", "torch.utils.checkpoint.check_backward_validity",
    "torch.utils.checkpoint.detach_variable", "torch.utils.checkpoint.get_device_states",
    "torch.utils.checkpoint.noop_context_fn",
    "OneFlow 0.9's autograd has backward, grad and Function alone; write the derivative, or take it by finite "
    "differences",
)  # fmt: skip
refuse(
    "torch.functional.overload",
    "OneFlow 0.9 transforms no functions; write the loop over the batch, or the derivative",
)  # fmt: skip
refuse(
    "torch.autograd.NestedIOFunction", "torch.autograd.function.BackwardCFunction",
    "torch.autograd.function.FunctionMeta", "torch.autograd.function.InplaceFunction",
    "the inside of torch.autograd.Function; derive from it alone",
)  # fmt: skip
refuse(
    "torch.Tensor.grad_dtype",
    "OneFlow 0.9 gives gradients in the parameter's dtype; leave it out",
)  # fmt: skip
refuse(
    "torch.Tensor.is_inference", "torch.is_inference", "torch.is_inference_mode_enabled",
    "OneFlow 0.9 does not tell tensors of inference mode; ask x.requires_grad, oneflow.is_grad_enabled()",
)  # fmt: skip
refuse(
    "torch.Tensor.register_post_accumulate_grad_hook",
    "OneFlow 0.9 has no such hook; call the function after backward()",
)  # fmt: skip
refuse(
    "torch.autograd.detect_anomaly", "torch.autograd.set_detect_anomaly",
    "OneFlow 0.9 does not look for NaN in the backward pass; assert on oneflow.isnan(x.grad) after it",
)  # fmt: skip
refuse(
    "torch.autograd.enforce_grad_layout_policy", "torch.autograd.is_multithreading_enabled",
    "torch.autograd.is_view_replay_enabled", "torch.autograd.kineto_available",
    "torch.autograd.set_multithreading_enabled",
    "steers torch's own engine of gradients, and OneFlow 0.9's takes nothing of the kind; remove it",
)  # fmt: skip
refuse(
    "torch.autograd.is_tensor_like",
    "OneFlow 0.9 has no test for what is like a tensor; use isinstance(x, oneflow.Tensor)",
)  # fmt: skip
refuse(
    "torch.autograd.forward_ad.UnpackedDualTensor", "torch.autograd.forward_ad.dual_level",
    "torch.autograd.forward_ad.enter_dual_level", "torch.autograd.forward_ad.exit_dual_level",
    "torch.autograd.forward_ad.make_dual", "torch.autograd.forward_ad.unpack_dual",
    "OneFlow 0.9 has no derivatives forward; take one by finite differences, or oneflow.autograd.grad twice",
)  # fmt: skip
refuse(
    "torch.autograd.functional.hessian", "torch.autograd.functional.hvp", "torch.autograd.functional.jacobian",
    "torch.autograd.functional.jvp", "torch.autograd.functional.vhp", "torch.autograd.functional.vjp",
    "OneFlow 0.9 has no derivatives of functions; call oneflow.autograd.grad(y, x, v) for each row, with "
    "create_graph=True for second ones",
)  # fmt: skip
refuse(
    "torch.autograd.gradcheck", "torch.autograd.gradgradcheck",
    "OneFlow 0.9 checks no gradients; compare oneflow.autograd.grad(...) with finite differences in float64",
)  # fmt: skip
refuse(
    "torch.gradient",
    "OneFlow 0.9 has no gradient of samples; use numpy.gradient(x.numpy()), or differences of slices",
)  # fmt: skip
refuse(
    "torch.utils.checkpoint.CheckpointPolicy", "torch.utils.checkpoint.GraphExecGroup",
    "torch.utils.checkpoint.SelectiveCheckpointContext", "torch.utils.checkpoint.checkpoint_sequential",
    "torch.utils.checkpoint.create_selective_checkpoint_contexts",
    "torch.utils.checkpoint.set_checkpoint_debug_enabled", "torch.utils.checkpoint.set_checkpoint_early_stop",
    "torch.utils.checkpoint.set_device_states",
    "OneFlow 0.9's checkpoint runs the whole function again; leave it out, or use oneflow.utils.checkpoint.checkpoint"
    " on parts",
)  # fmt: skip
refuse(
    "torch.vmap", "torch.func.debug_unwrap", "torch.func.functionalize",
    "OneFlow 0.9 transforms no functions; write the loop over the batch: oneflow.stack([function(row) for row in x])",
)  # fmt: skip
refuse(
    "torch.func.grad", "torch.func.grad_and_value", "torch.func.hessian", "torch.func.jacfwd", "torch.func.jacrev",
    "torch.func.jvp", "torch.func.linearize", "torch.func.vjp",
    "OneFlow 0.9 has no derivatives of functions; call oneflow.autograd.grad(y, x) on tensors that require it",
)  # fmt: skip
refuse(
    "torch.func.functional_call", "torch.func.stack_module_state",
    "OneFlow 0.9 calls a module with its own parameters alone; load the others: module.load_state_dict(values)",
)  # fmt: skip
refuse(
    "torch.func.rearrange",
    "OneFlow 0.9 has no such notation; use x.reshape and x.permute",
)  # fmt: skip
refuse(
    "torch.func.replace_all_batch_norm_modules_",
    "OneFlow 0.9 replaces no layers; build the model with oneflow.nn.GroupNorm",
)  # fmt: skip
refuse(
    "torch.cond", "torch.while_loop",
    "OneFlow 0.9 runs Python's own control flow; write if and while",
)  # fmt: skip
