"""What a layer's parametrizations do in OneFlow's own way."""

import oneflow


def new_parameter(value, like):
    """A parameter with a value."""
    return oneflow.nn.Parameter(value.detach().clone(), requires_grad=like.requires_grad)


def is_turned(module, name):
    """OneFlow's Linear keeps its weight as torch's does."""
    return False


def own_parts(module):
    return module._modules


def put_parameter(module, name, value):
    module.register_parameter(name, value)


def put_value(parameter, value):
    with oneflow.no_grad():
        parameter.copy_(value)


def rows_of(weight, dim):
    """The weight as a matrix with a row for each place along an axis."""
    axes = [dim, *(axis for axis in range(weight.ndim) if axis != dim)]
    return weight.permute(axes).reshape(weight.shape[dim], -1)


transposed_convolutions = (oneflow.nn.ConvTranspose1d, oneflow.nn.ConvTranspose2d, oneflow.nn.ConvTranspose3d)
