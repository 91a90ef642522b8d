"""Norms of what may have no axes, over an axis all the same: torch takes a number for a vector of one element."""

import paddle

from rewriters.rule import rule


def magnitude(number, order):
    """The norm of a number: whether it is there, or how large."""
    return (number != 0).astype(number.dtype) if order == 0 else number.abs()


@rule("torch.norm:bare", "torch.Tensor.norm:bare")
def norm_of_any(input, p="fro", dim=None, keepdim=False, *, dtype=None):
    input = input if dtype is None else input.astype(dtype)
    return magnitude(input, p) if input.ndim == 0 else paddle.norm(input, p=p, axis=dim, keepdim=keepdim)


@rule("torch.linalg.norm:bare")
def vector_norm_of_any(input, ord=None, dim=None, keepdim=False, *, dtype=None):
    input = input if dtype is None else input.astype(dtype)
    return magnitude(input, ord) if input.ndim == 0 else paddle.linalg.norm(input, p=ord, axis=dim, keepdim=keepdim)


@rule("torch.nn.functional.normalize:bare")
def normalized(input, p=2.0, dim=1, eps=1e-12):
    if input.ndim == 0:
        return input / magnitude(input, p).clip(min=eps)
    return paddle.nn.functional.normalize(input, p=p, axis=dim, epsilon=eps)


@rule("torch.cosine_similarity:bare")
def likeness(x1, x2, dim=1, eps=1e-8):
    x1, x2 = (x.unsqueeze(0) if x.ndim == 0 else x for x in (x1, x2))
    return paddle.nn.functional.cosine_similarity(x1, x2, axis=dim, eps=eps)
