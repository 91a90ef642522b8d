"""torch.nn.functional: pooling to a size that is given.

Paddle's take a batch only: where the rank of the input is known, one sample gets a batch axis.
"""

import paddle
import torch

from rewriters.rule import Rank, family, rule


def with_int64_indices(found):
    """Paddle's indices are int32."""
    pooled, indices = found
    return pooled, indices.astype("int64")


def of_one_sample(found):
    """The batch axis is taken off both."""
    pooled, indices = found
    return pooled.squeeze(0), indices.squeeze(0).astype("int64")


@family("1d 2d 3d", "2 3 4")
@rule(torch.nn.functional.adaptive_max_pool1d)
def adaptive_max_pool1d(input: Rank[2], output_size, return_indices=False):
    if return_indices:
        return of_one_sample(
            paddle.nn.functional.adaptive_max_pool1d(input.unsqueeze(0), output_size, return_mask=True)
        )
    return paddle.nn.functional.adaptive_max_pool1d(input.unsqueeze(0), output_size).squeeze(0)


@family("1d 2d 3d")
@rule(torch.nn.functional.adaptive_max_pool1d)
def adaptive_max_pool1d(input, output_size, return_indices=False):
    if return_indices:
        return with_int64_indices(paddle.nn.functional.adaptive_max_pool1d(input, output_size, return_mask=True))
    return paddle.nn.functional.adaptive_max_pool1d(input, output_size)


@rule(torch.nn.functional.adaptive_max_pool1d_with_indices, torch.adaptive_max_pool1d)
def adaptive_max_pool1d_with_indices(input: Rank[2], output_size, return_indices=False):
    return of_one_sample(paddle.nn.functional.adaptive_max_pool1d(input.unsqueeze(0), output_size, return_mask=True))


@rule(torch.nn.functional.adaptive_max_pool1d_with_indices, torch.adaptive_max_pool1d)
def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    return with_int64_indices(paddle.nn.functional.adaptive_max_pool1d(input, output_size, return_mask=True))


@family("2d 3d", "3 4")
@rule(torch.nn.functional.adaptive_avg_pool2d)
def adaptive_avg_pool2d(input: Rank[3], output_size):
    return paddle.nn.functional.adaptive_avg_pool2d(input.unsqueeze(0), output_size).squeeze(0)


@family("2d 3d")
@rule(torch.nn.functional.adaptive_avg_pool2d)
def adaptive_avg_pool2d(input, output_size):
    return paddle.nn.functional.adaptive_avg_pool2d(input, output_size)


@family("2d 3d", "3 4")
@rule(torch.nn.functional.adaptive_max_pool2d_with_indices)
def adaptive_max_pool2d_with_indices(input: Rank[3], output_size, return_indices=False):
    return of_one_sample(paddle.nn.functional.adaptive_max_pool2d(input.unsqueeze(0), output_size, return_mask=True))


@family("2d 3d")
@rule(torch.nn.functional.adaptive_max_pool2d_with_indices)
def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    return with_int64_indices(paddle.nn.functional.adaptive_max_pool2d(input, output_size, return_mask=True))
