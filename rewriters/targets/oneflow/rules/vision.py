"""torch: functions of images."""

import oneflow
import torch

from rewriters.rule import becomes, rule

becomes(torch.constant_pad_nd, oneflow.nn.functional.pad)


@rule(torch.nn.functional.bilinear, torch.bilinear)
def bilinear(input1, input2, weight, bias=None):
    lead, size = list(input1.shape[:-1]), weight.shape[0]
    first, second = input1.reshape(-1, 1, weight.shape[1], 1), input2.reshape(-1, 1, 1, weight.shape[2])
    found = oneflow.sum(first * second * weight.unsqueeze(0), [2, 3])
    return (found if bias is None else found + bias).reshape([*lead, size])


@rule(torch.embedding)
def embedding_below(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return oneflow.nn.functional.embedding(
        indices, weight, None if padding_idx < 0 else padding_idx, scale_grad_by_freq=scale_grad_by_freq
    )


MODES = ("bilinear", "nearest", "bicubic")
SIDES = ("zeros", "border", "reflection")


@rule(torch.grid_sampler, torch.grid_sampler_2d, torch.grid_sampler_3d)
def grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    return oneflow.nn.functional.grid_sample(
        input, grid, mode=MODES[interpolation_mode], padding_mode=SIDES[padding_mode], align_corners=align_corners
    )


@rule(torch.affine_grid_generator)
def affine_grid_generator(theta, size, align_corners):
    return oneflow.nn.functional.affine_grid(theta, size, align_corners=align_corners)
