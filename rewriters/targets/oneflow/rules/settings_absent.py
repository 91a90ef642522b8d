"""Settings of the whole program. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.USE_GLOBAL_DEPS", "torch.USE_RTLD_GLOBAL_WITH_LIBTORCH", "torch.autocast_decrement_nesting",
    "torch.autocast_increment_nesting", "torch.classproperty", "torch.clear_autocast_cache",
    "torch.get_autocast_cpu_dtype", "torch.get_autocast_dtype", "torch.get_autocast_gpu_dtype",
    "torch.get_autocast_ipu_dtype", "torch.get_autocast_xla_dtype", "torch.get_file_path",
    "torch.is_autocast_cache_enabled", "torch.is_autocast_cpu_enabled", "torch.is_autocast_enabled",
    "torch.is_autocast_ipu_enabled", "torch.is_autocast_xla_enabled", "torch.is_distributed",
    "torch.prepare_multiprocessing_environment", "torch.set_autocast_cache_enabled", "torch.set_autocast_cpu_dtype",
    "torch.set_autocast_cpu_enabled", "torch.set_autocast_dtype", "torch.set_autocast_enabled",
    "torch.set_autocast_gpu_dtype", "torch.set_autocast_ipu_dtype", "torch.set_autocast_ipu_enabled",
    "torch.set_autocast_xla_dtype", "torch.set_autocast_xla_enabled", "torch.testing.assert_allclose",
    "torch.testing.assert_close", "torch.testing.make_tensor", "torch.types.py_sym_types",
    "OneFlow 0.9 has no such setting or question; remove it",
)  # fmt: skip
refuse(
    "torch.get_num_threads", "torch.get_num_interop_threads", "torch.set_num_interop_threads", "torch.init_num_threads",
    "OneFlow 0.9 does not tell how many threads it has; keep the number that set_num_threads was given",
)  # fmt: skip
refuse(
    "torch.are_deterministic_algorithms_enabled", "torch.get_deterministic_debug_mode",
    "torch.is_deterministic_algorithms_warn_only_enabled", "torch.set_deterministic_debug_mode",
    "OneFlow 0.9 has no setting of deterministic kernels, so none to ask for; remove it",
)  # fmt: skip
refuse(
    "torch.get_float32_matmul_precision",
    "OneFlow 0.9 does not tell how float32 is multiplied; remove the question",
)  # fmt: skip
refuse(
    "torch.set_flush_denormal",
    "OneFlow 0.9 has no setting of denormal numbers; remove it",
)  # fmt: skip
refuse(
    "torch.set_warn_always", "torch.is_warn_always_enabled",
    "OneFlow 0.9 warns through Python alone; use the module warnings",
)  # fmt: skip
refuse(
    "torch.is_storage",
    "OneFlow 0.9 has no storages; use isinstance(x, oneflow.Tensor)",
)  # fmt: skip
refuse(
    "torch.random.fork_rng",
    "OneFlow 0.9 has no block that keeps the random numbers; give what draws inside of it a oneflow.Generator() of its "
    "own",
)  # fmt: skip
refuse(
    "torch.thread_safe_generator",
    "the inside of torch's loader; make a oneflow.Generator() and seed it",
)  # fmt: skip
refuse(
    "torch.typename",
    "OneFlow 0.9 has no such names of types; use type(x).__name__, or x.dtype",
)  # fmt: skip
