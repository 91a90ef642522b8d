"""torch.cuda: what there is. JAX has no streams of a program's own, and waits by itself."""

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
