"""torch.masked: reductions and normalizations over the elements that a mask shows.

Paddle has none of them: what is hidden becomes the element that the operation leaves out.
"""

import paddle
import torch

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.promoted_dtypes import alike


def shown(input, mask, hidden):
    """The input with ``hidden`` where the mask is False."""
    if mask is None:
        return input
    mask = paddle.expand(mask, paddle.broadcast_shape(mask.shape, input.shape))
    return paddle.where(mask, input.expand(mask.shape), paddle.full([], hidden, input.dtype))


def least(input):
    return float("-inf") if input.is_floating_point() else paddle.iinfo(input.dtype).min


def greatest(input):
    return float("inf") if input.is_floating_point() else paddle.iinfo(input.dtype).max


def axes(input, dim):
    """All of them for None and for none; a number has none."""
    if input.ndim == 0 or dim is None or dim == ():
        return None
    return dim if isinstance(dim, int) else list(dim)


@family("sum prod", "0 1")
@rule(torch.masked.sum)
def masked_sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return paddle.sum(shown(input, mask, 0), axis=axes(input, dim), dtype=dtype, keepdim=keepdim)


@family("amax amin", "least greatest")
@rule(torch.masked.amax)
def masked_amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    found = paddle.amax(shown(input, mask, least(input)), axis=axes(input, dim), keepdim=keepdim)
    return found if dtype is None else found.astype(dtype)


@family("argmax argmin", "least greatest")
@rule(torch.masked.argmax)
def masked_argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return _place(paddle.argmax, shown(input, mask, least(input)), dim, keepdim, dtype)


def _place(function, values, dim, keepdim, dtype):
    """In the input's dtype, as torch has it."""
    dtype = values.dtype if dtype is None else dtype
    if values.ndim == 0:
        return paddle.zeros([], dtype)
    along = {"axis": dim, "keepdim": keepdim and dim is not None}
    found = function(values, **along)
    if values.is_floating_point():  # the first NaN, which Paddle passes over
        lost = paddle.isnan(values)
        found = paddle.where(lost.any(**along), paddle.argmax(lost.astype("int32"), **along), found)
    if keepdim and dim is None:
        found = found.reshape([1] * values.ndim)
    return found.astype(dtype)


def count(input, dim, keepdim, mask):
    """How many elements are shown."""
    return masked_sum(paddle.ones(input.shape, "int64"), dim, keepdim=keepdim, mask=mask)


@rule(torch.masked.mean)
def masked_mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    total = masked_sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask)
    return total / count(input, dim, keepdim, mask).astype(total.dtype)


@rule(torch.masked.var)
def masked_var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    summed = input if dtype is None else input.astype(dtype)
    real = summed.is_floating_point() or summed.is_complex()
    values = summed if real else input.astype("float32")
    number = count(values, dim, True, mask)
    mean = masked_sum(summed, dim, keepdim=True, mask=mask).astype(values.dtype) / number.astype(values.dtype)
    apart = values - mean
    squares = apart * apart.conj() if values.is_complex() else apart * apart
    total = masked_sum(squares, dim, keepdim=keepdim, mask=mask)
    less = (0 if unbiased is False else 1) if correction is None else correction
    left = paddle.clip(number.astype("float32" if values.is_complex() else values.dtype) - less, min=0)
    found = total / left.reshape(total.shape).astype(total.dtype)
    return found if real or dtype is None else found.astype(dtype)


@rule(torch.masked.std)
def masked_std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    found = masked_var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask)
    return paddle.sqrt(found if dtype is None or "int" not in str(dtype) else found.astype("float32"))


@rule(torch.masked.norm)
def masked_norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    values = shown(input, mask, float("inf") if ord == float("-inf") else 0)
    values = values if dtype is None else values.astype(dtype)
    if values.ndim == 0:
        return paddle.linalg.norm(values, p=ord)
    return paddle.linalg.vector_norm(values, p=ord, axis=axes(input, dim), keepdim=keepdim)


@rule(torch.masked.median)
def masked_median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    values = shown(input, mask, float("nan"))  # torch's does nothing with dtype
    return values if values.ndim == 0 else paddle.compat.nanmedian(values, dim, keepdim)[0]


@rule(torch.masked.logsumexp)
def masked_logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    values = input if dtype is None else input.astype(dtype)
    values = values if values.is_floating_point() else values.astype("float32")
    values, axis = shown(values, mask, least(values)), axes(input, dim)
    largest = paddle.amax(values, axis=axis, keepdim=True).detach()
    largest = paddle.where(paddle.isinf(largest), paddle.zeros_like(largest), largest)
    # paddle.exp of -inf is more than 0 in longer tensors
    powers = paddle.where(values == least(values), paddle.zeros_like(values), paddle.exp(values - largest))
    found = paddle.log(powers.sum(axis=axis, keepdim=keepdim))
    found = found + largest.reshape(found.shape)
    return found.astype(input.dtype if dtype is None else dtype)


@rule(torch.masked.logaddexp)
def masked_logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    dtype = input.dtype if dtype is None else dtype
    input, other = alike(input, other)
    input, other = shown(input, input_mask, least(input)), shown(other, other_mask, least(other))
    here, there = input != least(input), other != least(other)
    zero = paddle.zeros([], input.dtype)  # paddle.logaddexp of -inf gives NaN, and so do its gradients
    both = paddle.logaddexp(paddle.where(here & there, input, zero), paddle.where(here & there, other, zero))
    return paddle.where(here & there, both, paddle.where(here, input, other)).astype(dtype)


@rule(torch.masked.softmax)
def masked_softmax(input, dim, *, dtype=None, mask=None):
    return paddle.nn.functional.softmax(shown(input, mask, least(input)), axis=dim, dtype=dtype)


@rule(torch.masked.softmin)
def masked_softmin(input, dim, *, dtype=None, mask=None):
    return paddle.nn.functional.softmax(-shown(input, mask, greatest(input)), axis=dim, dtype=dtype)


@rule(torch.masked.log_softmax)
def masked_log_softmax(input, dim, *, dtype=None, mask=None):
    values = shown(input if dtype is None else input.astype(dtype), mask, least(input))
    # paddle.nn.functional.log_softmax has the least float in place of -inf
    return values - paddle.logsumexp(values, axis=axes(values, dim), keepdim=True)


@rule(torch.masked.normalize)
def masked_normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    length = masked_norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return shown(input, mask, 0) / paddle.clip(length, min=eps)


@family("cumsum cumprod", "0 1", "axis dim")
@rule(torch.masked.cumsum)
def masked_cumsum(input, dim, *, dtype=None, mask=None):
    return paddle.cumsum(shown(input, mask, 0), axis=dim, dtype=dtype)


# there are no tensors of these kinds
@rule(
    torch.masked.is_masked_tensor,
    torch.nn.utils.parametrize.is_traceable_wrapper_subclass,
    torch.nn.utils.parametrize.is_opaque_reference_type,
)
def is_masked_tensor(obj):
    return False
