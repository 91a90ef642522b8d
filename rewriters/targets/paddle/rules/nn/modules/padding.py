"""Padding: modules."""

import paddle
import torch

from rewriters.rule import family, rule


@family("1d 2d 3d")
@rule(torch.nn.ReflectionPad1d)
def ReflectionPad1d(padding):
    return paddle.nn.ReflectionPad1D(padding)


@family("1d 2d 3d")
@rule(torch.nn.ReplicationPad1d)
def ReplicationPad1d(padding):
    return paddle.nn.ReplicationPad1D(padding)


@family("1d 2d 3d")
@rule(torch.nn.CircularPad1d)
def CircularPad1d(padding):
    return paddle.nn.CircularPad1D(padding)


@family("1d 2d 3d")
@rule(torch.nn.ZeroPad1d)
def ZeroPad1d(padding):
    return paddle.nn.ZeroPad1D(padding)


@family("1d 2d 3d")
@rule(torch.nn.ConstantPad1d)
def ConstantPad1d(padding, value):
    return paddle.nn.ConstantPad1D(padding, value)
