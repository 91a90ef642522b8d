"""torch: functions of images."""

import paddle
import torch

from rewriters.rule import Rank, family, rule
from rewriters.targets.paddle.rules.nn.functional.vision import bicubic_grid_sample, rows_but_padding
from rewriters.targets.paddle.rules.products import wanting


@rule(torch.bilinear)
def bilinear(input1: Rank[1] | Rank[3] | Rank[4], input2, weight, bias=None):
    # Paddle's takes matrices
    if bias is None:
        return paddle.einsum("...i,oij,...j->...o", input1, weight, input2)
    return paddle.einsum("...i,oij,...j->...o", input1, weight, input2) + bias


@rule(torch.bilinear)
def bilinear(input1, input2, weight, bias=None):
    return paddle.nn.functional.bilinear(input1, input2, weight, bias if bias is None else bias.unsqueeze(0))


@rule(torch.embedding)
def plain_embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    if padding_idx != -1:
        return rows_but_padding(indices, weight, padding_idx, sparse=sparse, scale_grad_by_freq=scale_grad_by_freq)
    return paddle.nn.functional.embedding(indices, weight, sparse=sparse, scale_grad_by_freq=scale_grad_by_freq)


@family("shuffle unshuffle", "upscale downscale")
@rule(torch.pixel_shuffle)
def pixel_shuffle(input: Rank[3], upscale_factor):
    return paddle.nn.functional.pixel_shuffle(input.unsqueeze(0), upscale_factor).squeeze(0)


@family("shuffle unshuffle", "upscale downscale")
@rule(torch.pixel_shuffle)
def pixel_shuffle(input: Rank[5], upscale_factor):
    found = paddle.nn.functional.pixel_shuffle(input.flatten(0, 1), upscale_factor)
    return found.reshape([*input.shape[:2], *found.shape[1:]])


@family("shuffle unshuffle", "upscale downscale")
@rule(torch.pixel_shuffle)
def pixel_shuffle(input, upscale_factor):
    return paddle.nn.functional.pixel_shuffle(input, upscale_factor)


@rule(torch.channel_shuffle, torch.native_channel_shuffle)
def channel_shuffle(input: Rank[3], groups):
    return paddle.nn.functional.channel_shuffle(input.unsqueeze(-1), groups).squeeze(-1)


@rule(torch.channel_shuffle, torch.native_channel_shuffle)
def channel_shuffle(input, groups):
    return paddle.nn.functional.channel_shuffle(input, groups)


@rule(torch.cosine_similarity)
def cosine_similarity(x1, x2, dim=1, eps=1e-08):
    return paddle.nn.functional.cosine_similarity(x1, x2, axis=dim, eps=eps)


@rule(torch.affine_grid_generator)
def affine_grid_generator(theta, size, align_corners):
    return paddle.nn.functional.affine_grid(theta, size, align_corners=align_corners)


@rule(torch.constant_pad_nd)
def constant_pad_nd(input, pad, value=0):
    return paddle.nn.functional.pad(input, pad, value=value, pad_from_left_axis=False)


@rule(torch.grid_sampler, torch.grid_sampler_2d, torch.grid_sampler_3d)
def grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    if interpolation_mode == 2:
        return bicubic_grid_sample(input, grid, ("zeros", "border", "reflection")[padding_mode], align_corners)
    return paddle.nn.functional.grid_sample(
        wanting(input, grid),
        grid,
        mode=("bilinear", "nearest")[interpolation_mode],
        padding_mode=("zeros", "border", "reflection")[padding_mode],
        align_corners=align_corners,
    )
