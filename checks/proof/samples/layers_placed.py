"""Layers that are given a device, a dtype, or both, each perhaps None."""

import torch


def linear_on_a_device(module: "torch.nn.Linear(3, 4, device='cpu')", a0: "float32[2,3]"):
    return module(a0)


def linear_of_a_dtype(module: "torch.nn.Linear(3, 4, dtype=torch.float32)", a0: "float32[2,3]"):
    return module(a0)


def linear_of_both(module: "torch.nn.Linear(3, 4, device='cpu', dtype=torch.float32)", a0: "float32[2,3]"):
    return module(a0)


def linear_of_none(module: "torch.nn.Linear(3, 4, device=None, dtype=None)", a0: "float32[2,3]"):
    return module(a0)


def convolution_on_a_device(module: "torch.nn.Conv2d(3, 4, 3, device='cpu')", a0: "float32[2,3,5,5]"):
    return module(a0)


def transposed_on_a_device(module: "torch.nn.ConvTranspose2d(3, 4, 3, device='cpu')", a0: "float32[2,3,5,5]"):
    return module(a0)


def layer_norm_on_a_device(module: "torch.nn.LayerNorm(4, device='cpu')", a0: "float32[2,4]"):
    return module(a0)


def group_norm_of_a_dtype(module: "torch.nn.GroupNorm(2, 4, dtype=torch.float32)", a0: "float32[2,4,3]"):
    return module(a0)


def recurrent_of_a_dtype_train(module: "torch.nn.LSTM(3, 4, dtype=torch.float32)", a0: "float32[5,2,3]"):
    return module(a0)


def recurrent_without_biases_of_a_dtype(
    module: "torch.nn.GRU(3, 4, bias=False, dtype=torch.float32)", a0: "float32[5,2,3]"
):
    return module(a0)
