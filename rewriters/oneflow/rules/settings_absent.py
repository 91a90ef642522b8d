"""Settings of the whole program. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.USE_GLOBAL_DEPS", "torch.USE_RTLD_GLOBAL_WITH_LIBTORCH", "torch.are_deterministic_algorithms_enabled",
    "torch.autocast_decrement_nesting", "torch.autocast_increment_nesting", "torch.classproperty",
    "torch.clear_autocast_cache", "torch.default_generator", "torch.get_autocast_cpu_dtype",
    "torch.get_autocast_dtype", "torch.get_autocast_gpu_dtype", "torch.get_autocast_ipu_dtype",
    "torch.get_autocast_xla_dtype", "torch.get_deterministic_debug_mode", "torch.get_file_path",
    "torch.get_float32_matmul_precision", "torch.get_num_interop_threads", "torch.get_num_threads",
    "torch.init_num_threads", "torch.is_autocast_cache_enabled", "torch.is_autocast_cpu_enabled",
    "torch.is_autocast_enabled", "torch.is_autocast_ipu_enabled", "torch.is_autocast_xla_enabled",
    "torch.is_deterministic_algorithms_warn_only_enabled", "torch.is_distributed", "torch.is_storage",
    "torch.is_warn_always_enabled", "torch.prepare_multiprocessing_environment", "torch.random.default_generator",
    "torch.random.fork_rng", "torch.set_autocast_cache_enabled", "torch.set_autocast_cpu_dtype",
    "torch.set_autocast_cpu_enabled", "torch.set_autocast_dtype", "torch.set_autocast_enabled",
    "torch.set_autocast_gpu_dtype", "torch.set_autocast_ipu_dtype", "torch.set_autocast_ipu_enabled",
    "torch.set_autocast_xla_dtype", "torch.set_autocast_xla_enabled", "torch.set_deterministic_debug_mode",
    "torch.set_flush_denormal", "torch.set_num_interop_threads", "torch.set_warn_always",
    "torch.testing.assert_allclose", "torch.testing.assert_close", "torch.testing.make_tensor",
    "torch.thread_safe_generator", "torch.typename", "torch.types.py_sym_types",
    "OneFlow 0.9 has no such setting or question; remove it",
)  # fmt: skip
