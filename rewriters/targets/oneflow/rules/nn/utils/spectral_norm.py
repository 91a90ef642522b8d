"""torch.nn.utils.spectral_norm: OneFlow has weight_norm alone."""

import oneflow
import torch

from rewriters.rule import rule


class SpectralNorm:
    """Divides a module's weight by its largest singular value, which power iteration brings nearer at each call."""

    def __init__(self, name, iterations, eps, dim):
        self.name, self.iterations, self.eps, self.dim = name, iterations, eps, dim

    def unit(self, vector):
        return vector / oneflow.clamp(oneflow.sqrt(oneflow.sum(vector * vector)), min=self.eps)

    def matrix(self, weight):
        axes = [self.dim, *(axis for axis in range(weight.ndim) if axis != self.dim)]
        return weight.permute(axes).reshape(weight.shape[self.dim], -1)

    def normed(self, module, iterations):
        weight = getattr(module, f"{self.name}_orig")
        left, right = getattr(module, f"{self.name}_u"), getattr(module, f"{self.name}_v")
        rows = self.matrix(weight)
        with oneflow.no_grad():
            for _ in range(iterations):
                right.copy_(self.unit(oneflow.matmul(rows.transpose(0, 1), left.unsqueeze(1)).squeeze(1)))
                left.copy_(self.unit(oneflow.matmul(rows, right.unsqueeze(1)).squeeze(1)))
        # copies: the next call changes the buffers before this one's gradient is taken
        product = oneflow.matmul(rows, right.clone().unsqueeze(1)).squeeze(1)
        return weight / oneflow.sum(left.clone() * product)

    def __call__(self, module, inputs):
        setattr(module, self.name, self.normed(module, self.iterations if module.training else 0))


@rule(torch.nn.utils.spectral_norm)
def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    if dim is None:
        nn = oneflow.nn
        dim = 1 if isinstance(module, (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)) else 0
    hook = SpectralNorm(name, n_power_iterations, eps, dim)
    weight = getattr(module, name)
    rows = hook.matrix(weight)
    del module._parameters[name]
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.detach())
    for suffix, size in (("u", rows.shape[0]), ("v", rows.shape[1])):
        vector = oneflow.randn(size, dtype=weight.dtype, device=weight.device)
        module.register_buffer(f"{name}_{suffix}", hook.unit(vector))
    module.register_forward_pre_hook(hook)
    return module


@rule(torch.nn.utils.remove_spectral_norm)
def remove_spectral_norm(module, name="weight"):
    for key, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, SpectralNorm) and hook.name == name:
            weight = hook.normed(module, 0).detach()
            del module._forward_pre_hooks[key], module._parameters[f"{name}_orig"]
            del module._buffers[f"{name}_u"], module._buffers[f"{name}_v"]
            delattr(module, name)
            module.register_parameter(name, oneflow.nn.Parameter(weight))
            return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")
