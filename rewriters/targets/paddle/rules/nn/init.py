"""torch.nn.init: Paddle's functions of the same names fill in place too, but return nothing.

Most of them give the tensor new memory: what shares the old (``w.data``, ``w[0]``) is not filled, so that passes.py
leaves ``.data`` out and chooses the rules at the end for other views.
"""

import math

import paddle
import torch

from rewriters.rule import family, rule, same

same("torch.nn.init.calculate_gain")


@family("normal uniform")
@rule(torch.nn.init.kaiming_normal_, torch.nn.init.kaiming_normal)
def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    paddle.nn.init.kaiming_normal_(tensor, a=a, mode=mode, nonlinearity=nonlinearity)
    return tensor


def other_fan(tensor, mode):
    """Paddle takes a matrix for a Linear's (in, out) weight; one of the project's own is (out, in), as in torch."""
    return {"fan_in": "fan_out", "fan_out": "fan_in"}[mode] if tensor.ndim == 2 else mode


# Chosen by passes.py for a parameter that the class itself made.
@family("normal uniform")
@rule("torch.nn.init.kaiming_normal_:own")
def own_kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    paddle.nn.init.kaiming_normal_(tensor, a=a, mode=other_fan(tensor, mode), nonlinearity=nonlinearity)
    return tensor


@family("normal uniform")
@rule(torch.nn.init.xavier_normal_, torch.nn.init.xavier_normal)
def xavier_normal_(tensor, gain=1.0):
    paddle.nn.init.xavier_normal_(tensor, gain=gain)
    return tensor


@family("normal uniform", "mean a", "std b")
@rule(torch.nn.init.normal_, torch.nn.init.normal)
def normal_(tensor, mean=0.0, std=1.0):
    paddle.nn.init.normal_(tensor, mean=mean, std=std)
    return tensor


@rule(torch.nn.init.trunc_normal_)
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    paddle.nn.init.trunc_normal_(tensor, mean=mean, std=std, a=a, b=b)
    return tensor


@family("orthogonal dirac", "gain groups")
@rule(torch.nn.init.orthogonal_, torch.nn.init.orthogonal)
def orthogonal_(tensor, gain=1):
    paddle.nn.init.orthogonal_(tensor, gain=gain)
    return tensor


@rule(torch.nn.init.constant_, torch.nn.init.constant)
def constant_(tensor, val):
    paddle.nn.init.constant_(tensor, val)
    return tensor


@family("zeros ones")
@rule(torch.nn.init.zeros_)
def zeros_(tensor):
    paddle.nn.init.zeros_(tensor)
    return tensor


@rule(torch.nn.init.eye_, torch.nn.init.eye)
def eye_(tensor):
    paddle.nn.init.eye_(tensor)
    return tensor


@rule(torch.nn.init.sparse_, torch.nn.init.sparse)
def sparse_(tensor, sparsity, std=0.01):
    paddle.nn.init.normal_(tensor, std=std)
    with paddle.no_grad():
        rows, columns = tensor.shape
        for column in range(columns):
            tensor[paddle.randperm(rows)[: math.ceil(sparsity * rows)], column] = 0.0
    return tensor


@rule("torch.Tensor.data:init")
def data_itself(self):
    return self


@family("normal uniform")
@rule("torch.nn.init.kaiming_normal_:value")
def any_kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    return own_kaiming_normal_(tensor, a, mode, nonlinearity)


@rule(torch.nn.init._calculate_fan_in_and_fan_out)
def _calculate_fan_in_and_fan_out(tensor):
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


@rule(torch.nn.init._calculate_correct_fan)
def _calculate_correct_fan(tensor, mode):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return {"fan_in": fan_in, "fan_out": fan_out}[mode.lower()]


# Of what shares memory with another tensor.
def fill_through(fill, tensor, **options):
    """Fills memory that others see."""
    fresh = paddle.empty(tensor.shape, tensor.dtype)
    fill(fresh, **options)
    with paddle.no_grad():
        paddle.assign(fresh, tensor)
    return tensor


@family("normal uniform", "mean a", "std b")
@rule("torch.nn.init.normal_:view")
def view_normal_(tensor, mean=0.0, std=1.0):
    return fill_through(paddle.nn.init.normal_, tensor, mean=mean, std=std)


@rule("torch.nn.init.trunc_normal_:view")
def view_trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    return fill_through(paddle.nn.init.trunc_normal_, tensor, mean=mean, std=std, a=a, b=b)


@family("normal uniform")
@rule("torch.nn.init.xavier_normal_:view")
def view_xavier_normal_(tensor, gain=1.0):
    return fill_through(paddle.nn.init.xavier_normal_, tensor, gain=gain)


@family("normal uniform")
@rule("torch.nn.init.kaiming_normal_:view")
def view_kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    return fill_through(own_kaiming_normal_, tensor, a=a, mode=mode, nonlinearity=nonlinearity)


@rule("torch.nn.init.orthogonal_:view")
def view_orthogonal_(tensor, gain=1):
    return fill_through(paddle.nn.init.orthogonal_, tensor, gain=gain)


@rule("torch.nn.init.eye_:view")
def view_eye_(tensor):
    return fill_through(paddle.nn.init.eye_, tensor)
