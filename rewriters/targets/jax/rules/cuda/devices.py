"""torch.cuda: what there is. JAX has no streams of a program's own, and waits by itself."""

import contextlib
import types

import jax
import torch

from rewriters.rule import rule


@rule(torch.cuda.is_available)
def is_available():
    return jax.default_backend() == "gpu"


@rule(torch.cuda.device_count)
def device_count():
    return jax.device_count() if jax.default_backend() == "gpu" else 0


@rule(torch.cuda.current_device)
def current_device():
    return 0


@rule(torch.cuda.set_device)
def set_device(device):
    pass


@rule(torch.cuda.is_current_stream_capturing)
def is_current_stream_capturing():
    return False  # a program captures nothing itself


@rule(torch.cuda.empty_cache)
def empty_cache():
    pass


@rule(torch.cuda.get_device_name)
def get_device_name(device=None):
    return jax.devices()[0].device_kind


@rule(torch.cuda.is_bf16_supported)
def is_bf16_supported(including_emulation=True):
    return True


@rule(torch.cuda.synchronize)
def synchronize(device=None):
    jax.effects_barrier()


@rule(torch.cuda.init)
def init():
    pass


@rule(torch.cuda.is_initialized)
def is_initialized():
    return jax.default_backend() == "gpu"


@rule("torch.cuda._initialized:told")
def initialized():
    return jax.default_backend() == "gpu"


@rule(torch.cuda.get_device_capability)
def get_device_capability(device=None):
    return tuple(int(part) for part in jax.devices("gpu")[0].compute_capability.split("."))


@rule(torch.cuda.get_device_properties)
def get_device_properties(device=None):
    found = jax.devices("gpu")[0]
    major, minor = get_device_capability()
    return types.SimpleNamespace(
        name=found.device_kind,
        major=major,
        minor=minor,
        multi_processor_count=found.core_count,
        total_memory=found.memory_stats()["bytes_limit"],  # what JAX may take of it
    )


@rule(torch.cuda.is_tf32_supported)
def is_tf32_supported():
    return jax.default_backend() == "gpu" and get_device_capability() >= (8, 0)


@rule(torch.cuda.device, torch.cuda.device_of)
def cuda_device(device):
    # the computation goes where its arrays are
    return contextlib.nullcontext()
