"""Convolutions: padding by a word."""

import torch


def same_with_dilation(module: "torch.nn.Conv2d(3, 4, 3, padding='same', dilation=2)", a0: "float32[2,3,8,8]"):
    return module(a0)


def same_of_even_width(
    module: "torch.nn.Conv2d(3, 4, (2, 3), padding='same', dilation=(3, 2))", a0: "float32[2,3,8,8]"
):
    return module(a0)


def same_along_a_sequence(module: "torch.nn.Conv1d(3, 4, 4, padding='same', dilation=3)", a0: "float32[2,3,9]"):
    return module(a0)


def same_in_a_volume(module: "torch.nn.Conv3d(2, 3, 2, padding='same', dilation=2)", a0: "float32[1,2,4,4,4]"):
    return module(a0)


def valid_with_dilation(module: "torch.nn.Conv1d(3, 4, 3, padding='valid', dilation=2)", a0: "float32[2,3,9]"):
    return module(a0)


def same_of_oblong_kernels(module: "torch.nn.Conv2d(3, 4, (3, 5), padding='same')", a0: "float32[2,3,8,8]"):
    return module(a0)


def same_of_even_width_by_position(module: "torch.nn.Conv2d(3, 4, 4, 1, 'same', 2)", a0: "float32[2,3,8,8]"):
    return module(a0)


def same_of_a_dtype(module: "torch.nn.Conv1d(3, 4, 2, padding='same', dtype=torch.float32)", a0: "float32[2,3,9]"):
    return module(a0)
