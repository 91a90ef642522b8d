"""Tools around modules, optimizers and tensors. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.nn.functional.handle_torch_function", "torch.nn.functional.has_torch_function",
    "torch.nn.functional.has_torch_function_unary", "torch.nn.functional.has_torch_function_variadic",
    "OneFlow 0.9's functions take no __torch_function__; remove the branch",
)  # fmt: skip
refuse(
    "torch.Tensor.as_subclass",
    "OneFlow 0.9 gives plain tensors for those of a derived class; write functions of plain tensors",
)  # fmt: skip
refuse(
    "torch.Tensor.index", "torch.Tensor.name",
    "OneFlow 0.9's tensors have no named dimensions; index by position",
)  # fmt: skip
refuse(
    "torch.Tensor.map_",
    "OneFlow 0.9 calls no Python function for each element; write it with functions of tensors",
)  # fmt: skip
refuse(
    "torch.Tensor.module_load",
    "OneFlow 0.9 copies values into parameters; use param.data.copy_(...)",
)  # fmt: skip
refuse(
    "torch.utils.swap_tensors",
    "OneFlow 0.9's tensors cannot trade places; trade their values: kept = a.clone(), then a.copy_(b) and "
    "b.copy_(kept)",
)  # fmt: skip
refuse(
    "torch.nn.attention.activate_flash_attention_impl", "torch.nn.attention.can_use_efficient_attention",
    "torch.nn.attention.can_use_flash_attention", "torch.nn.attention.current_flash_attention_impl",
    "torch.nn.attention.list_flash_attention_impls", "torch.nn.attention.register_flash_attention_impl",
    "torch.nn.attention.restore_flash_attention_impl", "torch.nn.attention.sdpa_kernel",
    "OneFlow 0.9 has no fused kernel of attention to choose; remove it",
)  # fmt: skip
refuse(
    "torch.nn.modules.utils.consume_prefix_in_state_dict_if_present",
    "OneFlow 0.9 has no such function of state dicts; write {key.removeprefix(prefix): value for key, value in "
    "state_dict.items()}",
)  # fmt: skip
refuse(
    "torch.nn.utils.parametrizations.orthogonal", "torch.nn.utils.parametrizations.spectral_norm",
    "torch.nn.utils.parametrizations.weight_norm", "torch.nn.utils.parametrize.ParametrizationList",
    "torch.nn.utils.parametrize.cached", "torch.nn.utils.parametrize.get_swap_module_params_on_conversion",
    "torch.nn.utils.parametrize.is_opaque_reference_type", "torch.nn.utils.parametrize.is_parametrized",
    "torch.nn.utils.parametrize.is_traceable_wrapper_subclass", "torch.nn.utils.parametrize.register_parametrization",
    "torch.nn.utils.parametrize.remove_parametrizations",
    "torch.nn.utils.parametrize.transfer_parametrizations_and_params",
    "torch.nn.utils.parametrize.type_before_parametrizations",
    "OneFlow 0.9 parametrizes no weights; compute the weight in forward, or use oneflow.nn.utils.weight_norm",
)  # fmt: skip
refuse(
    "torch.nn.utils.prune.BasePruningMethod", "torch.nn.utils.prune.Identity", "torch.nn.utils.prune.L1Unstructured",
    "torch.nn.utils.prune.LnStructured", "torch.nn.utils.prune.PruningContainer",
    "torch.nn.utils.prune.RandomStructured", "torch.nn.utils.prune.RandomUnstructured",
    "torch.nn.utils.prune.custom_from_mask", "torch.nn.utils.prune.global_unstructured",
    "torch.nn.utils.prune.identity", "torch.nn.utils.prune.is_pruned", "torch.nn.utils.prune.l1_unstructured",
    "torch.nn.utils.prune.ln_structured", "torch.nn.utils.prune.random_structured",
    "torch.nn.utils.prune.random_unstructured", "torch.nn.utils.prune.remove",
    "OneFlow 0.9 has no pruning; keep a mask as a buffer and multiply by it: module.weight.data.mul_(mask)",
)  # fmt: skip
refuse(
    "torch.nn.utils.rnn.PackedSequence_",
    "the inside of torch's packed sequences; use oneflow.nn.utils.rnn.PackedSequence",
)  # fmt: skip
refuse(
    "torch.nn.utils.rnn.copy_method_params",
    "a decorator for type checkers, which runs nothing; remove it",
)  # fmt: skip
refuse(
    "torch.optim.adadelta.adadelta", "torch.optim.adagrad.adagrad", "torch.optim.adam.adam",
    "torch.optim.adamax.adamax", "torch.optim.adamw.adamw", "torch.optim.asgd.asgd", "torch.optim.nadam.nadam",
    "torch.optim.radam.radam", "torch.optim.rmsprop.rmsprop", "torch.optim.rprop.rprop", "torch.optim.sgd.sgd",
    "OneFlow 0.9 has no functional optimizers; use the optimizer's class",
)  # fmt: skip
refuse(
    "torch.optim.optimizer.register_optimizer_step_pre_hook",
    "OneFlow 0.9's optimizers have no hooks; call the function before step()",
)  # fmt: skip
refuse(
    "torch.optim.swa_utils.AveragedModel", "torch.optim.swa_utils.get_ema_avg_fn",
    "torch.optim.swa_utils.get_ema_multi_avg_fn", "torch.optim.swa_utils.get_swa_avg_fn",
    "torch.optim.swa_utils.get_swa_multi_avg_fn", "torch.optim.swa_utils.update_bn",
    "OneFlow 0.9 averages no weights; keep the averages in a copy of the model: kept.data.mul_(decay).add_(param.data"
    " * (1 - decay))",
)  # fmt: skip
refuse(
    "torch.optim.swa_utils.SWALR",
    "OneFlow 0.9 has no schedule of averaged weights; use oneflow.optim.lr_scheduler.LambdaLR",
)  # fmt: skip
refuse(
    "torch.slice_copy",
    "OneFlow 0.9 has no copying slices; use x[...].clone()",
)  # fmt: skip
refuse(
    "torch.utils.generate_methods_for_privateuse1_backend", "torch.utils.rename_privateuse1_backend",
    "names a device of one's own, of which OneFlow 0.9 has none; remove it",
)  # fmt: skip
refuse(
    "torch.utils.get_cpp_backtrace",
    "OneFlow 0.9 shows no stack of C++; where a kernel fails the error says the files: str(error)",
)  # fmt: skip
refuse(
    "torch.utils.set_module",
    "sets the module that a class says it is of; assign __module__",
)  # fmt: skip
refuse(
    "torch.utils.tensorboard.FileWriter",
    "tensorboardX.FileWriter(logdir) takes tensorboardX's own events; write them so, or use SummaryWriter",
)  # fmt: skip
refuse(
    "torch.utils.data._utils.collate.collate",
    "the inside of torch's collate; torch.utils.data.default_collate is converted: use it",
)  # fmt: skip
refuse(
    "torch.utils.hooks.RemovableHandle",
    "OneFlow 0.9's forward hooks give no handle, and its tensors' neither; keep a flag that the hook reads",
)  # fmt: skip
refuse(
    "torch.utils.hooks.BackwardHook",
    "OneFlow 0.9's layers have no backward hooks; register one on the tensor: tensor.register_hook(hook)",
)  # fmt: skip
refuse(
    "torch.utils.hooks.unserializable_hook",
    "OneFlow 0.9 saves tensors without their hooks; leave it out",
)  # fmt: skip
