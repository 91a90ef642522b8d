"""torch.nn.init."""

import numpy
import oneflow
import torch

from rewriters.rule import family, rule, same

same(
    "torch.nn.init.kaiming_normal_", "torch.nn.init.kaiming_uniform_", "torch.nn.init.normal_",
    "torch.nn.init.constant_", "torch.nn.init.zeros_", "torch.nn.init.ones_",
)  # fmt: skip


@family("uniform normal")
@rule(torch.nn.init.xavier_uniform_, torch.nn.init.xavier_uniform)
def xavier_uniform_(tensor, gain=1.0, generator=None):
    return oneflow.nn.init.xavier_uniform_(tensor, gain)


@rule(torch.nn.init.uniform_, torch.nn.init.uniform)
def uniform_(tensor, a=0.0, b=1.0, generator=None):
    return oneflow.nn.init.uniform_(tensor, a, b)


@rule(torch.nn.init.normal)
def normal(tensor, mean=0.0, std=1.0, generator=None):
    return oneflow.nn.init.normal_(tensor, mean, std)


@rule(torch.nn.init.constant)
def constant(tensor, val):
    return oneflow.nn.init.constant_(tensor, val)


@family("normal uniform")
@rule(torch.nn.init.kaiming_normal)
def kaiming_normal(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return oneflow.nn.init.kaiming_normal_(tensor, a, mode, nonlinearity)


@rule(torch.nn.init.trunc_normal_)
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    return oneflow.nn.init.trunc_normal_(tensor, mean, std, a, b)


@rule(torch.nn.init.orthogonal_, torch.nn.init.orthogonal)
def orthogonal_(tensor, gain=1, generator=None):
    # OneFlow's own leaves the tensor as it was, and has no QR
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    rows, columns = tensor.shape[0], tensor.numel() // tensor.shape[0]
    drawn = oneflow.randn(max(rows, columns), min(rows, columns)).numpy()
    found, triangle = numpy.linalg.qr(drawn)
    found = found * numpy.sign(numpy.diag(triangle))
    found = numpy.ascontiguousarray(found.T if rows < columns else found).reshape(tuple(tensor.shape))
    with oneflow.no_grad():
        tensor[...] = oneflow.tensor(gain * found, dtype=tensor.dtype, device=tensor.device)
    return tensor


@rule(torch.nn.init.eye_, torch.nn.init.eye)
def eye_(tensor):
    return oneflow.nn.init.eye_(tensor)


@rule(torch.nn.init.dirac_, torch.nn.init.dirac)
def dirac_(tensor, groups=1):
    middle = [size // 2 for size in tensor.shape[2:]]
    each = tensor.shape[0] // groups
    with oneflow.no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(each, tensor.shape[1])):
                tensor[(group * each + channel, channel, *middle)] = 1.0
    return tensor


@rule(torch.nn.init.sparse_, torch.nn.init.sparse)
def sparse_(tensor, sparsity, std=0.01, generator=None):
    rows, columns = tensor.shape
    lost = -int(-sparsity * rows // 1)
    with oneflow.no_grad():
        oneflow.nn.init.normal_(tensor, 0.0, std)
        for column in range(columns):
            tensor[oneflow.randperm(rows)[:lost], column] = 0.0
    return tensor


@rule(torch.nn.init.calculate_gain)
def calculate_gain(nonlinearity, param=None):
    return oneflow.nn.init.calculate_gain(nonlinearity, param)


@rule(torch.nn.init._calculate_fan_in_and_fan_out)
def fan_in_and_fan_out(tensor):
    return oneflow.nn.init._calculate_fan_in_and_fan_out(tensor)
