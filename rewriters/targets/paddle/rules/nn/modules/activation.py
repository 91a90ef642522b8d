"""Activations: modules and functions."""

import paddle
import torch

from rewriters.rule import becomes, family, renamed, rule
from rewriters.targets.paddle.rules.nn.functional.activation import celu_of_two

becomes(torch.nn.GLU, paddle.nn.GLU, dim="/")
becomes(torch.nn.Softplus, paddle.nn.Softplus, beta="/", threshold="/")
becomes(torch.nn.ReLU6, paddle.nn.ReLU6, inplace=None)
becomes(torch.nn.SiLU, paddle.nn.Swish, inplace=None)  # the gradient of paddle.nn.Silu is NaN below -88
becomes(torch.nn.Threshold, paddle.nn.ThresholdedReLU, inplace=None)


# Modules drop inplace=: what a module returns is what its caller goes on with.
@family("ReLU SELU Mish Hardsigmoid Hardswish")
@rule(torch.nn.ReLU)
def ReLU(inplace=False):
    return paddle.nn.ReLU()


@family("LeakyReLU ELU", "negative_slope alpha", "0.01 1.0")
@rule(torch.nn.LeakyReLU)
def LeakyReLU(negative_slope=0.01, inplace=False):
    return paddle.nn.LeakyReLU(negative_slope)


@rule("torch.nn.SiLU:twice")
class TorchSiLU(paddle.nn.Silu):
    """Paddle's swish has no second gradient, the first of its own silu is NaN below -88."""

    def __init__(self, inplace=False):
        super().__init__()

    def forward(self, x):
        return x * paddle.nn.functional.sigmoid(x)


@rule(torch.nn.CELU)
class CELU(paddle.nn.CELU):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(alpha)

    def forward(self, x):
        return celu_of_two(x, self._alpha)


@rule(torch.nn.PReLU, layout={"weight": renamed("_weight")})
def PReLU(num_parameters=1, init=0.25, device=None, dtype=None):
    if dtype is not None:
        return paddle.nn.PReLU(num_parameters, init).to(dtype=dtype)
    return paddle.nn.PReLU(num_parameters, init)


# Where the names of parameters are looked at: Paddle's is _weight.
@rule("torch.nn.PReLU:named")
class TorchPReLU(paddle.nn.PReLU):
    """Names its parameter as torch does."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__(num_parameters, init)
        self.add_parameter("weight", self._parameters.pop("_weight"))
        if dtype is not None:
            self.to(dtype=dtype)

    def __getattr__(self, name):
        return super().__getattr__("weight" if name == "_weight" and "weight" in self._parameters else name)


@rule(torch.nn.RReLU)
def RReLU(lower=1 / 8, upper=1 / 3, inplace=False):
    return paddle.nn.RReLU(lower, upper)


@rule(torch.nn.GELU)
def GELU(approximate="none"):
    return paddle.nn.GELU(approximate=approximate == "tanh")


@family("Sigmoid LogSigmoid Tanh Tanhshrink Softsign")
@rule(torch.nn.Sigmoid)
def Sigmoid():
    return paddle.nn.Sigmoid()


@family("Hardshrink Softshrink")
@rule(torch.nn.Hardshrink)
def Hardshrink(lambd=0.5):
    return paddle.nn.Hardshrink(lambd)


@rule(torch.nn.Hardtanh)
def Hardtanh(min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
    return paddle.nn.Hardtanh(min_val if min_value is None else min_value, max_val if max_value is None else max_value)


@rule(torch.nn.Softmax)
def Softmax(dim=None):
    if dim is None:
        # torch then chooses an axis by the number of axes
        return paddle.compat.nn.Softmax()
    return paddle.nn.Softmax(axis=dim)


@rule(torch.nn.LogSoftmax)
def LogSoftmax(dim=None):
    if dim is None:
        return LogSoftmaxByRank()
    return paddle.nn.LogSoftmax(axis=dim)


class LogSoftmaxByRank(paddle.nn.LogSoftmax):
    """torch chooses an axis by the number of axes, Paddle takes the last."""

    def forward(self, x):
        return paddle.nn.functional.log_softmax(x, axis=0 if x.ndim in (0, 1, 3) else 1)


@rule(torch.nn.Softmax2d)
def Softmax2d():
    return paddle.nn.Softmax2D()


@rule(torch.nn.Softmin)
class Softmin(paddle.nn.Layer):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        if self.dim is None:
            return paddle.compat.nn.functional.softmax(-x)
        return paddle.nn.functional.softmax(-x, axis=self.dim)


@rule(torch.nn.modules.linear.NonDynamicallyQuantizableLinear)
def NonDynamicallyQuantizableLinear(in_features, out_features, bias=True, device=None, dtype=None):
    # the projection inside of MultiheadAttention, which keeps torch's weight
    return paddle.compat.nn.Linear(in_features, out_features, bias=bias, dtype=dtype)
