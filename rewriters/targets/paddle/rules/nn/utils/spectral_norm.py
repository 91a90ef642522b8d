"""torch.nn.utils: spectral norm."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.utils.remove_spectral_norm)
def remove_spectral_norm(module, name="weight"):
    for key, hook in list(module._forward_pre_hooks.items()):
        if type(hook).__name__ == "SpectralNorm" and hook.name == name:
            value = hook.compute_weight(module, do_power_iteration=False).detach()
            original = module._parameters.pop(name + "_orig")
            original.set_value(value)
            for buffer in (name, name + "_u", name + "_v"):
                module._buffers.pop(buffer, None)
            del module._forward_pre_hooks[key]
            module.add_parameter(name, original)
            return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")


@rule(torch.nn.utils.spectral_norm)
def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    # without dim Paddle takes the axis of the outputs, as torch does
    return paddle.nn.utils.spectral_norm(module, name=name, n_power_iterations=n_power_iterations, eps=eps, dim=dim)
