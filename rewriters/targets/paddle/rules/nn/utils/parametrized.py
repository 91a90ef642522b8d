"""What a layer's parametrizations do in Paddle's own way."""

import paddle


def new_parameter(value, like):
    """A parameter with a value."""
    found = paddle.create_parameter(
        value.shape, value.dtype, default_initializer=paddle.nn.initializer.Assign(value.detach())
    )
    found.stop_gradient = like.stop_gradient
    return found


def is_turned(module, name):
    """Whether a weight is (in, out), torch's is (out, in)."""
    return name == "weight" and isinstance(module, paddle.nn.Linear)


def own_parts(module):
    return module._sub_layers


def put_parameter(module, name, value):
    module.add_parameter(name, value)


def put_value(parameter, value):
    parameter.set_value(value)


def rows_of(weight, dim):
    """The weight as a matrix with a row for each place along an axis."""
    return paddle.moveaxis(weight, dim, 0).reshape([weight.shape[dim], -1])


transposed_convolutions = (paddle.nn.Conv1DTranspose, paddle.nn.Conv2DTranspose, paddle.nn.Conv3DTranspose)
