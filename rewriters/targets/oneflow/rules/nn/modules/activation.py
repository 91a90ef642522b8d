"""torch.nn.modules: activations."""

import oneflow
import torch

from rewriters.rule import Rank, family, rule, same


class MaybeInPlace(oneflow.nn.Module):
    """A layer whose input becomes its output, where ``inplace`` asks for it."""

    def forward(self, x):
        if not self.inplace:
            return self.compute(x)
        x[...] = self.compute(x.clone())
        return x


@rule(torch.nn.Tanhshrink)
class Tanhshrink(oneflow.nn.Module):
    def forward(self, x):
        return x - oneflow.tanh(x)


@rule(torch.nn.LogSigmoid)
class LogSigmoid(oneflow.nn.Module):
    def forward(self, input):
        # OneFlow's own is minus infinity below -709
        return -oneflow.nn.functional.softplus(-input, threshold=50)


@rule(torch.nn.Mish)
class Mish(MaybeInPlace):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def compute(self, x):
        # OneFlow's own is NaN above 88
        return x * oneflow.tanh(oneflow.nn.functional.softplus(x))


@rule(torch.nn.Hardsigmoid)
class Hardsigmoid(MaybeInPlace):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def compute(self, x):
        return oneflow.nn.functional.hardtanh(x / 6 + 0.5, 0.0, 1.0)


@rule(torch.nn.RReLU)
class RReLU(MaybeInPlace):
    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.lower, self.upper = lower, upper

    def compute(self, x):
        if not self.training:
            return oneflow.nn.functional.leaky_relu(x, (self.lower + self.upper) / 2)
        slope = oneflow.rand(x.shape, dtype=x.dtype, device=x.device) * (self.upper - self.lower) + self.lower
        return oneflow.where(x >= 0, x, slope * x)


@rule(torch.nn.PReLU)
class PReLU(oneflow.nn.Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        dtype = oneflow.get_default_dtype() if dtype is None else dtype
        self.weight = oneflow.nn.Parameter(oneflow.full((num_parameters,), init, device=device, dtype=dtype))

    def forward(self, x):
        many = self.num_parameters > 1
        shape = [-1 if many and axis == 1 else 1 for axis in range(x.ndim)]
        return oneflow.where(x > 0, x, self.weight.reshape(shape) * x)


@rule(torch.nn.Softmax2d)
class Softmax2d(oneflow.nn.Module):
    def forward(self, x):
        return oneflow.nn.functional.softmax(x, dim=-3)


@rule(torch.nn.Softmin)
class Softmin(oneflow.nn.Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        if x.ndim == 0:
            return oneflow.ones_like(x)
        axis = (0 if x.ndim in (1, 3) else 1) if self.dim is None else self.dim
        return oneflow.nn.functional.softmax(-x, dim=axis)


@family("Softmax LogSoftmax")
@rule(torch.nn.Softmax)
def Softmax(dim=None):
    return oneflow.nn.Softmax(dim=dim)


@rule("torch.nn.LogSoftmax:call")
def log_softmax_of_one_number(self, input: Rank[0]):
    return input - input


same("torch.nn.ReLU", "torch.nn.GELU")
