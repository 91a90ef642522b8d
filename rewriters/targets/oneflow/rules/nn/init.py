"""torch.nn.init."""

import math

import numpy
import oneflow
import torch

from rewriters.rule import becomes, rule, same

becomes(torch.nn.init.calculate_gain, oneflow.nn.init.calculate_gain, param="/")
becomes(torch.nn.init.eye_, torch.nn.init.eye, oneflow.nn.init.eye_)

same("torch.nn.init.constant_", "torch.nn.init.zeros_", "torch.nn.init.ones_")


def drawn(tensor, draw, generator, scale, start):
    """Filled with random numbers of a generator's, which OneFlow's own do not take."""
    with oneflow.no_grad():
        numbers = draw(tensor.shape, dtype=tensor.dtype, device=tensor.device, generator=generator)
        tensor[...] = numbers * scale + start
    return tensor


@rule(torch.nn.init.uniform_, torch.nn.init.uniform)
def uniform_(tensor, a=0.0, b=1.0, generator=None):
    if generator is None:
        return oneflow.nn.init.uniform_(tensor, a, b)
    return drawn(tensor, oneflow.rand, generator, b - a, a)


@rule(torch.nn.init.normal_, torch.nn.init.normal)
def normal_(tensor, mean=0.0, std=1.0, generator=None):
    if generator is None:
        return oneflow.nn.init.normal_(tensor, mean, std)
    return drawn(tensor, oneflow.randn, generator, std, mean)


def width_of(tensor, gain):
    """The standard deviation that Glorot asks for."""
    return gain * math.sqrt(2.0 / sum(oneflow.nn.init._calculate_fan_in_and_fan_out(tensor)))


@rule(torch.nn.init.xavier_uniform_, torch.nn.init.xavier_uniform)
def xavier_uniform_(tensor, gain=1.0, generator=None):
    if generator is None:
        return oneflow.nn.init.xavier_uniform_(tensor, gain)
    bound = math.sqrt(3.0) * width_of(tensor, gain)
    return drawn(tensor, oneflow.rand, generator, 2 * bound, -bound)


@rule(torch.nn.init.xavier_normal_, torch.nn.init.xavier_normal)
def xavier_normal_(tensor, gain=1.0, generator=None):
    if generator is None:
        return oneflow.nn.init.xavier_normal_(tensor, gain)
    return drawn(tensor, oneflow.randn, generator, width_of(tensor, gain), 0.0)


def width_of_rectified(tensor, a, mode, nonlinearity):
    """The standard deviation that He asks for."""
    fans = oneflow.nn.init._calculate_fan_in_and_fan_out(tensor)
    return oneflow.nn.init.calculate_gain(nonlinearity, a) / math.sqrt(fans[0] if mode == "fan_in" else fans[1])


@rule(torch.nn.init.kaiming_uniform_, torch.nn.init.kaiming_uniform)
def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if generator is None:
        return oneflow.nn.init.kaiming_uniform_(tensor, a, mode, nonlinearity)
    bound = math.sqrt(3.0) * width_of_rectified(tensor, a, mode, nonlinearity)
    return drawn(tensor, oneflow.rand, generator, 2 * bound, -bound)


@rule(torch.nn.init.kaiming_normal_, torch.nn.init.kaiming_normal)
def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if generator is None:
        return oneflow.nn.init.kaiming_normal_(tensor, a, mode, nonlinearity)
    return drawn(tensor, oneflow.randn, generator, width_of_rectified(tensor, a, mode, nonlinearity), 0.0)


@rule(torch.nn.init.trunc_normal_)
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    # OneFlow's own piles up at the ends what lies beyond them
    low, high = (math.erf((end - mean) / (std * math.sqrt(2.0))) for end in (a, b))
    with oneflow.no_grad():
        numbers = oneflow.rand(tensor.shape, dtype=tensor.dtype, device=tensor.device, generator=generator)
        numbers = oneflow.erfinv(numbers * (high - low) + low) * (std * math.sqrt(2.0)) + mean
        tensor[...] = oneflow.clamp(numbers, min=a, max=b)
    return tensor


@rule(torch.nn.init.constant)
def constant(tensor, val):
    return oneflow.nn.init.constant_(tensor, val)


@rule(torch.nn.init.orthogonal_, torch.nn.init.orthogonal)
def orthogonal_(tensor, gain=1, generator=None):
    # OneFlow's own leaves the tensor as it was, and has no QR
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    rows, columns = tensor.shape[0], tensor.numel() // tensor.shape[0]
    numbers = oneflow.randn(max(rows, columns), min(rows, columns), generator=generator).numpy()
    found, triangle = numpy.linalg.qr(numbers)
    found = found * numpy.sign(numpy.diag(triangle))
    found = numpy.ascontiguousarray(found.T if rows < columns else found).reshape(tuple(tensor.shape))
    with oneflow.no_grad():
        tensor[...] = oneflow.tensor(gain * found, dtype=tensor.dtype, device=tensor.device)
    return tensor


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
        normal_(tensor, 0.0, std, generator)
        for column in range(columns):
            tensor[oneflow.randperm(rows, generator=generator)[:lost], column] = 0.0
    return tensor


@rule(torch.nn.init._calculate_fan_in_and_fan_out)
def fan_in_and_fan_out(tensor):
    return oneflow.nn.init._calculate_fan_in_and_fan_out(tensor)
