"""torch.nn.functional: dropout."""

import paddle
import torch

from rewriters.rule import Rank, family, rule


@family("dropout dropout1d")
@rule(torch.nn.functional.dropout)
def dropout(input, p=0.5, training=True, inplace=False):
    return paddle.nn.functional.dropout(input, p, training=training, inplace=inplace)


@family("2d 3d")
@rule(torch.nn.functional.dropout2d)
def dropout2d(input: Rank[2], p=0.5, training=True, inplace=False):
    # channels of one number
    return paddle.nn.functional.dropout(input, p, training=training, inplace=inplace)


@rule(torch.nn.functional.dropout2d)
def dropout2d(input: Rank[3], p=0.5, training=True, inplace=False):
    # torch takes three axes for a batch of sequences
    if inplace:
        return paddle.assign(paddle.nn.functional.dropout1d(input.clone(), p, training=training), input)
    return paddle.nn.functional.dropout1d(input, p, training=training)


@family("dropout2d dropout3d alpha_dropout feature_alpha_dropout", "True True False False")
@rule(torch.nn.functional.dropout2d)
def dropout2d(input, p=0.5, training=True, inplace=False):
    if inplace:
        return paddle.assign(paddle.nn.functional.dropout2d(input.clone(), p, training=training), input)
    return paddle.nn.functional.dropout2d(input, p, training=training)


@rule(torch.nn.functional.dropout3d)
def dropout3d(input: Rank[4], p=0.5, training=True, inplace=False):
    if inplace:
        return paddle.assign(
            paddle.nn.functional.dropout3d(input.clone().unsqueeze(0), p, training=training).squeeze(0), input
        )
    return paddle.nn.functional.dropout3d(input.unsqueeze(0), p, training=training).squeeze(0)
