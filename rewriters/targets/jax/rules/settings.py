"""Settings of the whole program: printing, precision, threads, what is deterministic."""

import os

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import alias, rule

alias(torch.AcceleratorError, "jax.errors.JaxRuntimeError")
alias(torch.OutOfMemoryError, "jax.errors.JaxRuntimeError")
alias(torch.has_lapack, "True")
alias(torch.has_spectral, "True")


@rule(torch.set_printoptions)
def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    if profile is not None:  # what it says, where nothing else does
        precision = (2 if profile == "short" else 4) if precision is None else precision
        threshold = (2**31 - 1 if profile == "full" else 1000) if threshold is None else threshold
        edgeitems = (2 if profile == "short" else 3) if edgeitems is None else edgeitems
        linewidth = 80 if linewidth is None else linewidth
    plain = None if sci_mode is None else not sci_mode
    jnp.set_printoptions(
        precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth, suppress=plain
    )


PRECISIONS = {"highest": "highest", "high": "high", "medium": "default"}


@rule(torch.set_float32_matmul_precision)
def set_float32_matmul_precision(precision):
    jax.config.update("jax_default_matmul_precision", PRECISIONS[precision])


@rule(torch.get_float32_matmul_precision)
def get_float32_matmul_precision():
    present = jax.config.jax_default_matmul_precision or "highest"
    return next((name for name, said in PRECISIONS.items() if said == present), "highest")


@rule(torch.set_warn_always)
def set_warn_always(b):
    pass


@rule(torch.is_warn_always_enabled)
def is_warn_always_enabled():
    return False


@rule(torch.set_default_tensor_type)
def set_default_tensor_type(t):
    if str(t).rpartition(".")[2] not in ("FloatTensor", "float32") and "float32" not in str(t):
        raise NotImplementedError("JAX has no default dtype to be set; name the dtype where arrays are made")


@rule(torch.get_default_device)
def get_default_device():
    return jax.devices()[0]


@rule(torch.set_default_device)
def set_default_device(device):
    # JAX puts arrays on its accelerator by itself
    pass


# 0: anything goes; 1: what is deterministic where there is a choice, without an error; 2: the same
deterministic = {"mode": 0}


@rule(torch.set_deterministic_debug_mode)
def set_deterministic_debug_mode(debug_mode):
    # on GPUs the environment says so before XLA starts: XLA_FLAGS=--xla_gpu_deterministic_ops
    deterministic["mode"] = {"default": 0, "warn": 1, "error": 2}.get(debug_mode, debug_mode)


@rule(torch.use_deterministic_algorithms)
def use_deterministic_algorithms(mode, *, warn_only=False):
    set_deterministic_debug_mode((1 if warn_only else 2) if mode else 0)


@rule(torch.get_deterministic_debug_mode)
def get_deterministic_debug_mode():
    return deterministic["mode"]


@rule(torch.are_deterministic_algorithms_enabled)
def are_deterministic_algorithms_enabled():
    return deterministic["mode"] > 0


@rule(torch.is_deterministic_algorithms_warn_only_enabled)
def is_deterministic_algorithms_warn_only_enabled():
    return deterministic["mode"] == 1


# What was asked for: XLA takes its threads from the environment before it starts.
threads = {}


@rule(torch.set_num_threads)
def set_num_threads(num):
    threads["number"] = num


@rule(torch.get_num_threads)
def get_num_threads():
    return threads.get("number") or len(os.sched_getaffinity(0))


@rule(torch.set_num_interop_threads)
def set_num_interop_threads(num):
    pass


@rule(torch.get_num_interop_threads)
def get_num_interop_threads():
    return 1


@rule(torch.thread_safe_generator)
def thread_safe_generator():
    # loaders run in this process
    return None
