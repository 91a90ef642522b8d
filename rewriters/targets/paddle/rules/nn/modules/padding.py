"""Padding: modules."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.ReflectionPad1d)
def ReflectionPad1d(padding):
    return paddle.nn.ReflectionPad1D(padding)


@rule(torch.nn.ReflectionPad2d)
def ReflectionPad2d(padding):
    return paddle.nn.ReflectionPad2D(padding)


@rule(torch.nn.ReflectionPad3d)
def ReflectionPad3d(padding):
    return paddle.nn.ReflectionPad3D(padding)


@rule(torch.nn.ReplicationPad1d)
def ReplicationPad1d(padding):
    return paddle.nn.ReplicationPad1D(padding)


@rule(torch.nn.ReplicationPad2d)
def ReplicationPad2d(padding):
    return paddle.nn.ReplicationPad2D(padding)


@rule(torch.nn.ReplicationPad3d)
def ReplicationPad3d(padding):
    return paddle.nn.ReplicationPad3D(padding)


@rule(torch.nn.CircularPad1d)
def CircularPad1d(padding):
    return paddle.nn.CircularPad1D(padding)


@rule(torch.nn.CircularPad2d)
def CircularPad2d(padding):
    return paddle.nn.CircularPad2D(padding)


@rule(torch.nn.CircularPad3d)
def CircularPad3d(padding):
    return paddle.nn.CircularPad3D(padding)


@rule(torch.nn.ZeroPad1d)
def ZeroPad1d(padding):
    return paddle.nn.ZeroPad1D(padding)


@rule(torch.nn.ZeroPad2d)
def ZeroPad2d(padding):
    return paddle.nn.ZeroPad2D(padding)


@rule(torch.nn.ZeroPad3d)
def ZeroPad3d(padding):
    return paddle.nn.ZeroPad3D(padding)


@rule(torch.nn.ConstantPad1d)
def ConstantPad1d(padding, value):
    return paddle.nn.ConstantPad1D(padding, value)


@rule(torch.nn.ConstantPad2d)
def ConstantPad2d(padding, value):
    return paddle.nn.ConstantPad2D(padding, value)


@rule(torch.nn.ConstantPad3d)
def ConstantPad3d(padding, value):
    return paddle.nn.ConstantPad3D(padding, value)
