"""Functions of torch.nn.functional that torch has under its own name too."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.dropout)
def dropout(input, p, train):
    return paddle.nn.functional.dropout(input, p, training=train)


@rule(torch.alpha_dropout)
def alpha_dropout(input, p, train):
    return paddle.nn.functional.alpha_dropout(input, p, training=train)


@rule(torch.feature_alpha_dropout)
def feature_alpha_dropout(input, p, train):
    return paddle.nn.functional.feature_alpha_dropout(input, p, training=train)


@rule(torch.group_norm)
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True):
    if weight is None:  # then its gradient is wrong
        weight, bias = (
            paddle.ones([input.shape[1]], dtype=input.dtype),
            paddle.zeros([input.shape[1]], dtype=input.dtype),
        )
    return paddle.nn.functional.group_norm(input, num_groups, epsilon=eps, weight=weight, bias=bias)


@rule(torch.rms_norm)
def rms_norm(input, normalized_shape, weight=None, eps=None):
    axes = list(range(-len(normalized_shape), 0))
    scale = paddle.rsqrt(
        (input * input).mean(axis=axes, keepdim=True) + (1.1920928955078125e-07 if eps is None else eps)
    )
    return input * scale if weight is None else input * scale * weight


@rule(torch.binary_cross_entropy_with_logits)
def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    return paddle.nn.functional.binary_cross_entropy_with_logits(
        input, target, weight=weight, reduction=("none", "mean", "sum")[reduction], pos_weight=pos_weight
    )


@rule(torch.margin_ranking_loss)
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    return paddle.nn.functional.margin_ranking_loss(
        input1, input2, target, margin=margin, reduction=("none", "mean", "sum")[reduction]
    )


@rule(torch.hinge_embedding_loss)
def hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    return paddle.nn.functional.hinge_embedding_loss(
        input, target, margin=margin, reduction=("none", "mean", "sum")[reduction]
    )


@rule(torch.cosine_embedding_loss)
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    return paddle.nn.functional.cosine_embedding_loss(
        input1, input2, target, margin=margin, reduction=("none", "mean", "sum")[reduction]
    )


@rule(torch.triplet_margin_loss)
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-06, swap=False, reduction=0):
    return paddle.nn.functional.triplet_margin_loss(
        anchor,
        positive,
        negative,
        margin=margin,
        p=p,
        epsilon=eps,
        swap=swap,
        reduction=("none", "mean", "sum")[reduction],
    )


@rule(torch.poisson_nll_loss)
def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    return paddle.nn.functional.poisson_nll_loss(
        input, target, log_input=log_input, full=full, epsilon=eps, reduction=("none", "mean", "sum")[reduction]
    )


@rule(torch.ctc_loss)
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    raise NotImplementedError("use torch.nn.functional.ctc_loss, which is converted")


@rule(torch.affine_grid_generator)
def affine_grid_generator(theta, size, align_corners):
    return paddle.nn.functional.affine_grid(theta, size, align_corners=align_corners)


@rule(torch.constant_pad_nd)
def constant_pad_nd(input, pad, value=0):
    return paddle.nn.functional.pad(input, pad, value=value, pad_from_left_axis=False)


@rule(torch.gru_cell, torch.lstm_cell, torch.rnn_tanh_cell, torch.rnn_relu_cell)
def cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    raise NotImplementedError("use the cell's module, torch.nn.GRUCell and its like, which is converted")


@rule(torch.gru, torch.lstm, torch.rnn_tanh, torch.rnn_relu)
def recurrent(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    raise NotImplementedError("use the layer's module, torch.nn.LSTM and its like, which is converted")
