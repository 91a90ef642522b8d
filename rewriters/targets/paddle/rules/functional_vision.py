"""torch.nn.functional: padding, patches, embeddings, distances."""

import paddle
import torch

from rewriters.rule import Rank, rule


@rule(torch.nn.functional.linear)
def linear(input, weight, bias=None):
    # Paddle's own linear takes the transposed weight
    return paddle.compat.nn.functional.linear(input, weight, bias)


@rule("torch.nn.functional.linear:layer")
def linear_of_layer(input, weight, bias=None):
    # the weight of a paddle.nn.Linear is the transposed one
    return paddle.nn.functional.linear(input, weight, bias)


@rule(torch.bilinear)
def bilinear(input1: Rank[1] | Rank[3] | Rank[4], input2, weight, bias=None):
    # Paddle's takes matrices
    if bias is None:
        return paddle.einsum("...i,oij,...j->...o", input1, weight, input2)
    return paddle.einsum("...i,oij,...j->...o", input1, weight, input2) + bias


@rule(torch.bilinear)
def bilinear(input1, input2, weight, bias=None):  # noqa: F811
    return paddle.nn.functional.bilinear(input1, input2, weight, bias if bias is None else bias.unsqueeze(0))


def rows_but_padding(indices, weight, padding_idx, sparse):
    """Paddle's own gives zeros for the padding index; torch gives its row, and hands no gradient to it."""
    rows = paddle.nn.functional.embedding(indices, weight, sparse=sparse)
    kept = (indices != padding_idx % weight.shape[0]).unsqueeze(-1)
    return paddle.where(kept, rows, rows.detach())


@rule(torch.nn.functional.embedding)
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if padding_idx is not None and max_norm is None and not scale_grad_by_freq:
        return rows_but_padding(input, weight, padding_idx, sparse)
    return paddle.nn.functional.embedding(
        input,
        weight,
        padding_idx=padding_idx,
        max_norm=max_norm,
        norm_type=norm_type,
        sparse=sparse,
        scale_grad_by_freq=scale_grad_by_freq,
    )


@rule(torch.embedding)
def plain_embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    if padding_idx != -1:
        return rows_but_padding(indices, weight, padding_idx, sparse)
    return paddle.nn.functional.embedding(indices, weight, sparse=sparse)


@rule(torch.nn.functional.one_hot)
def one_hot(input, num_classes=-1):
    return paddle.nn.functional.one_hot(input, num_classes).astype("int64")


@rule(torch.nn.functional.pad)
def pad(input, pad, mode="constant", value=None):
    # Paddle's own pad orders the amounts by the number of axes
    return paddle.compat.nn.functional.pad(input, pad, mode=mode, value=0.0 if value is None else value)


@rule(torch.nn.functional.unfold)
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.functional.unfold(input, kernel_size, strides=stride, paddings=padding, dilations=dilation)


@rule(torch.nn.functional.fold)
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.functional.fold(
        input, output_size, kernel_size, strides=stride, paddings=padding, dilations=dilation
    )


@rule(torch.pixel_shuffle)
def pixel_shuffle(input, upscale_factor):
    return paddle.nn.functional.pixel_shuffle(input, upscale_factor)


@rule(torch.pixel_unshuffle)
def pixel_unshuffle(input, downscale_factor):
    return paddle.nn.functional.pixel_unshuffle(input, downscale_factor)


@rule(torch.channel_shuffle, torch.native_channel_shuffle)
def channel_shuffle(input, groups):
    return paddle.nn.functional.channel_shuffle(input, groups)


@rule(torch.cosine_similarity)
def cosine_similarity(x1, x2, dim=1, eps=1e-08):
    return paddle.nn.functional.cosine_similarity(x1, x2, axis=dim, eps=eps)


@rule(torch.pairwise_distance)
def pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False):
    return paddle.nn.functional.pairwise_distance(x1, x2, p=p, epsilon=eps, keepdim=keepdim)
