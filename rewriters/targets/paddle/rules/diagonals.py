"""Diagonals, triangles, distances and covariances of matrices."""

import paddle
import torch

from rewriters.rule import BoolTensor, IntTensor, Rank, family, rule
from rewriters.targets.paddle.rules.arithmetic import floats


@rule(torch.diagonal, torch.diagonal_copy, torch.Tensor.diagonal)
def diagonal(input, offset=0, dim1=0, dim2=1):
    return paddle.diagonal(input, offset=offset, axis1=dim1, axis2=dim2)


@family("diag diagflat tril triu", "diagonal offset diagonal diagonal", "offset offset diagonal diagonal")
@rule(torch.diag, torch.Tensor.diag)
def diag(input, diagonal=0):
    return paddle.diag(input, offset=diagonal)


@rule(torch.diag, torch.Tensor.diag)
def diag(input: BoolTensor, diagonal=0):
    return paddle.diag(input.astype("int32"), offset=diagonal).astype("bool")


@rule(torch.diag_embed, torch.Tensor.diag_embed, "torch.Tensor.diag_embed:gradient")
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    # paddle.diag_embed has no gradient
    size = input.shape[-1] + abs(offset)
    places = paddle.diagonal(paddle.arange(size * size).reshape([size, size]), offset)
    flat = paddle.zeros([*input.shape[:-1], size * size], dtype=input.dtype)
    index = paddle.expand(places, input.shape)
    whole = paddle.put_along_axis(flat, index, input, -1).reshape([*input.shape[:-1], size, size])
    return paddle.moveaxis(whole, [-2, -1], [dim1, dim2])


# between batches of another rank Paddle's has no gradient
def distances(x1, x2, mode):
    """Of each to each. Equal points have no slope in torch; Paddle's own, where it multiplies matrices, gives NaN."""
    many = max(x1.shape[-2], x2.shape[-2]) > 25
    multiplies = mode == "use_mm_for_euclid_dist" or (many and mode == "use_mm_for_euclid_dist_if_necessary")
    if not multiplies or (x1.stop_gradient and x2.stop_gradient):
        return paddle.cdist(x1, x2, compute_mode=mode)
    lengths = (x1 * x1).sum(-1, keepdim=True) + (x2 * x2).sum(-1).unsqueeze(-2)
    squares = (lengths - 2 * paddle.matmul(x1, x2, transpose_y=True)).clip(min=0)
    equal = squares == 0
    return paddle.where(
        equal, paddle.zeros_like(squares), paddle.sqrt(paddle.where(equal, paddle.ones_like(squares), squares))
    )


@rule(torch.cdist)
def cdist(x1: Rank[3], x2: Rank[4], p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    if p == 2:
        return distances(x1.unsqueeze(0), x2, compute_mode)
    return paddle.cdist(x1.unsqueeze(0), x2, p=p, compute_mode=compute_mode)


@rule(torch.cdist)
def cdist(x1: Rank[4], x2: Rank[3], p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    if p == 2:
        return distances(x1, x2.unsqueeze(0), compute_mode)
    return paddle.cdist(x1, x2.unsqueeze(0), p=p, compute_mode=compute_mode)


@rule(torch.cdist)
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    if p == 2:
        return distances(x1, x2, compute_mode)
    return paddle.cdist(x1, x2, p=p, compute_mode=compute_mode)


@rule(torch.cov, torch.Tensor.cov)
def cov(input: IntTensor, *, correction=1, fweights=None, aweights=None):
    if correction not in (0, 1):
        return corrected(floats(input), correction, fweights, aweights)
    return paddle.linalg.cov(floats(input), ddof=correction == 1, fweights=fweights, aweights=aweights)


@rule(torch.cov, torch.Tensor.cov)
def cov(input, *, correction=1, fweights=None, aweights=None):
    if correction not in (0, 1):
        return corrected(input, correction, fweights, aweights)
    return paddle.linalg.cov(input, ddof=correction == 1, fweights=fweights, aweights=aweights)


def corrected(x, correction, fweights, aweights):
    """paddle.linalg.cov corrects by 0 or 1."""
    weights = paddle.ones(x.shape[-1:], dtype=x.dtype) if fweights is None else fweights.astype(x.dtype)
    lost = paddle.full([], correction, dtype=x.dtype)
    if aweights is not None:
        weights = weights * aweights
        lost = lost * (weights * aweights).sum() / weights.sum()
    left = paddle.clip(weights.sum() - lost, min=0)
    return paddle.linalg.cov(x, ddof=False, fweights=fweights, aweights=aweights) * (weights.sum() / left)


@rule(torch.corrcoef, torch.Tensor.corrcoef)
def corrcoef(input: IntTensor):
    return paddle.linalg.corrcoef(input.astype(paddle.get_default_dtype()))


@rule(torch.corrcoef, torch.Tensor.corrcoef)
def corrcoef(input):
    return paddle.linalg.corrcoef(input)
