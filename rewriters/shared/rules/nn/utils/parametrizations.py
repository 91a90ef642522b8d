"""torch.nn.utils.parametrizations: norms of weights, computed each time that the weight is asked for."""

import framework
import torch

from rewriters.rule import rule
from rewriters.shared.rules.nn.utils.parametrize import register_parametrization
from rewriters.targets.framework.rules.nn.utils.parametrized import (
    is_turned,
    put_value,
    rows_of,
    transposed_convolutions,
)


class WeightNorm(framework.nn.Module):
    """The direction of one parameter and the length of another, by rows along an axis; of all where that is None."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def length(self, weight):
        if self.dim is None or self.dim == -1:
            return (weight * weight).sum().sqrt()
        axes = [axis for axis in range(weight.ndim) if axis != self.dim % weight.ndim]
        return (weight * weight).sum(axes, keepdim=True).sqrt() if axes else weight.abs()

    def forward(self, weight_g, weight_v):
        return weight_v * (weight_g / self.length(weight_v))

    def right_inverse(self, weight):
        return self.length(weight), weight


@rule(torch.nn.utils.parametrizations.weight_norm)
def parametrized_weight_norm(module, name="weight", dim=0):
    return register_parametrization(module, name, WeightNorm(dim))


class SpectralNorm(framework.nn.Module):
    """Divides a weight by its largest singular value, which power iteration brings nearer at each reading."""

    def __init__(self, weight, iterations, dim, eps):
        super().__init__()
        self.iterations, self.dim, self.eps = iterations, dim if dim >= 0 else dim + weight.ndim, eps
        if weight.ndim > 1:
            rows = rows_of(weight, self.dim)
            left, right = (self.unit(framework.randn([size], dtype=weight.dtype)) for size in rows.shape)
            self.register_buffer("_u", left)
            self.register_buffer("_v", right)
            self.iterate(rows, 15)

    def unit(self, vector):
        return vector / (vector * vector).sum().sqrt().clip(min=self.eps)

    def iterate(self, rows, times):
        with framework.no_grad():
            for _ in range(times):
                put_value(self._u, self.unit((rows * self._v).sum(1)))
                put_value(self._v, self.unit((rows * self._u.unsqueeze(1)).sum(0)))

    def forward(self, weight):
        if weight.ndim == 1:
            return self.unit(weight)
        rows = rows_of(weight, self.dim)
        if self.training:
            self.iterate(rows, self.iterations)
        # copies: the next reading changes the buffers before this one's gradient is taken
        left, right = self._u.clone(), self._v.clone()
        return weight / (left * (rows * right).sum(1)).sum()

    def right_inverse(self, value):
        return value


@rule(torch.nn.utils.parametrizations.spectral_norm)
def parametrized_spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    if dim is None:
        dim = 1 if isinstance(module, transposed_convolutions) else 0
    weight = getattr(module, name).detach()
    weight = weight.t() if is_turned(module, name) else weight
    return register_parametrization(module, name, SpectralNorm(weight, n_power_iterations, dim, eps))
