"""torch.masked: reductions and normalizations over the elements that a mask shows. What is hidden becomes the element
that the operation leaves out.
"""

import math

import oneflow
import torch

from rewriters.rule import family, rule


def shown(input, mask, hidden):
    """The input with ``hidden`` where the mask is False."""
    if mask is None:
        return input
    shape = oneflow.broadcast_shapes(tuple(mask.shape), tuple(input.shape))
    return oneflow.masked_fill(input.expand(shape), oneflow.logical_not(mask.expand(shape)), hidden)


def least(input):
    return -math.inf if input.is_floating_point() else oneflow.iinfo(input.dtype).min


def greatest(input):
    return math.inf if input.is_floating_point() else oneflow.iinfo(input.dtype).max


def axes(input, dim):
    """All of them for None and for none."""
    if dim is None or dim == ():
        return list(range(input.ndim))
    return [dim] if isinstance(dim, int) else list(dim)


def totalled(input, dim, keepdim):
    return oneflow.sum(input, axes(input, dim), keepdim) if input.ndim else input


@rule(torch.masked.sum)
def masked_sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    input = input if dtype is None else input.to(dtype)
    return totalled(shown(input, mask, 0), dim, keepdim)


@rule(torch.masked.prod)
def masked_prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    found = shown(input if dtype is None else input.to(dtype), mask, 1)
    for axis in axes(found, dim) if found.ndim else []:
        # OneFlow's own product has no gradient where there is a zero: one factor after the other
        rows = [oneflow.narrow(found, axis, n, 1) for n in range(found.shape[axis])]
        found = math.prod(rows[1:], start=rows[0]) if rows else oneflow.ones_like(oneflow.sum(found, axis, True))
    if keepdim or not found.ndim:
        return found
    gone = [axis % found.ndim for axis in axes(found, dim)]
    return found.reshape([size for axis, size in enumerate(found.shape) if axis not in gone])


@family("amax amin", "least greatest")
@rule(torch.masked.amax)
def masked_amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    found = shown(input, mask, least(input))
    found = oneflow.amax(found, axes(found, dim), keepdim) if found.ndim else found.clone()
    return found if dtype is None else found.to(dtype)


@family("argmax argmin", "least greatest")
@rule(torch.masked.argmax)
def masked_argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return place(oneflow.argmax, shown(input, mask, least(input)), dim, keepdim, dtype)


def place(function, values, dim, keepdim, dtype):
    """In the input's dtype, as torch has it."""
    dtype = values.dtype if dtype is None else dtype
    if values.ndim == 0:
        return oneflow.zeros_like(values, dtype=dtype)
    if dim is not None:
        return function(values, dim, keepdim).to(dtype)
    found = function(values.reshape(-1)).to(dtype)
    return found.reshape([1] * values.ndim) if keepdim else found


def count(input, dim, keepdim, mask):
    """How many elements are shown."""
    return masked_sum(oneflow.ones_like(input, dtype=oneflow.int64), dim, keepdim=keepdim, mask=mask)


@rule(torch.masked.mean)
def masked_mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    total = masked_sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask)
    return total / count(input, dim, keepdim, mask).to(total.dtype)


@rule(torch.masked.var)
def masked_var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    dtype = dtype or (input.dtype if input.is_floating_point() else oneflow.float32)
    exact = dtype if dtype.is_floating_point else oneflow.float32
    number = count(input, dim, True, mask)
    mean = masked_sum(input, dim, keepdim=True, dtype=dtype, mask=mask).to(exact) / number.to(exact)
    apart = input - mean
    total = masked_sum(apart * apart, dim, keepdim=keepdim, dtype=exact, mask=mask)
    less = (0 if unbiased is False else 1) if correction is None else correction
    left = oneflow.clamp(number.to(exact) - less, min=0)
    return (total / left.reshape(total.shape)).to(dtype)


@rule(torch.masked.std)
def masked_std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    found = masked_var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask)
    return oneflow.sqrt(found if found.is_floating_point() else found.to(oneflow.float32))


@rule(torch.masked.norm)
def masked_norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    values = oneflow.abs(shown(input, mask, math.inf if ord == -math.inf else 0))
    values = values if dtype is None else values.to(dtype)
    if ord in (math.inf, -math.inf):
        if values.ndim == 0:
            return values
        return (oneflow.amax if ord > 0 else oneflow.amin)(values, axes(values, dim), keepdim)
    if ord == 0:
        return totalled((values != 0).to(values.dtype), dim, keepdim)
    if ord == 1 or values.ndim == 0:
        return totalled(values, dim, keepdim)
    total = totalled(oneflow.pow(values, ord), dim, keepdim)
    zero = total == 0  # where the root has no gradient
    root = oneflow.pow(oneflow.masked_fill(total, zero, 1.0), 1.0 / ord)
    return root * (1 - zero.to(root.dtype))


@rule(torch.masked.logsumexp)
def masked_logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    dtype = dtype or input.dtype
    values = shown(input, mask, least(input))
    values = values if values.is_floating_point() else values.to(oneflow.float32)
    if values.ndim == 0:
        return values.clone().to(dtype)
    along = axes(values, dim)
    largest = oneflow.amax(values, along, True).detach()
    largest = oneflow.masked_fill(largest, oneflow.isinf(largest), 0.0)
    found = oneflow.log(oneflow.sum(oneflow.exp(values - largest), along, keepdim))
    return (found + largest.reshape(found.shape)).to(dtype)


@rule(torch.masked.logaddexp)
def masked_logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    input, other = shown(input, input_mask, least(input)), shown(other, other_mask, least(other))
    here, there = input != least(input), other != least(other)
    both = here & there
    zero = oneflow.zeros_like(input)  # -inf with -inf gives NaN, and so do its gradients
    joined = oneflow.logaddexp(oneflow.where(both, input, zero), oneflow.where(both, other, zero))
    found = oneflow.where(both, joined, oneflow.where(here, input, other))
    return found if dtype is None else found.to(dtype)


def single(dim):
    """The first of several axes, which is the one that torch takes."""
    return dim[0] if isinstance(dim, (tuple, list)) else dim


def softmax_of(values, dim):
    """Where all is hidden, NaN as torch has it; numbers are their own whole."""
    if values.ndim == 0:
        return oneflow.exp(values - values.detach())
    return values if 0 in values.shape else oneflow.nn.functional.softmax(values, dim=single(dim))


@rule(torch.masked.softmax)
def masked_softmax(input, dim, *, dtype=None, mask=None):
    return softmax_of(shown(input if dtype is None else input.to(dtype), mask, least(input)), dim)


@rule(torch.masked.softmin)
def masked_softmin(input, dim, *, dtype=None, mask=None):
    return softmax_of(shown(-input if dtype is None else -input.to(dtype), mask, least(input)), dim)


@rule(torch.masked.log_softmax)
def masked_log_softmax(input, dim, *, dtype=None, mask=None):
    values = shown(input if dtype is None else input.to(dtype), mask, least(input))
    if values.ndim == 0:
        return values - values.detach()
    return values if 0 in values.shape else values - masked_logsumexp(values, single(dim), keepdim=True)


@rule(torch.masked.normalize)
def masked_normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    length = masked_norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return shown(input, mask, 0) / oneflow.clamp(length, min=eps)


@family("cumsum cumprod", "0 1")
@rule(torch.masked.cumsum)
def masked_cumsum(input, dim, *, dtype=None, mask=None):
    values = shown(input if dtype is None else input.to(dtype), mask, 0)
    return oneflow.cumsum(values, single(dim)) if values.ndim else values.clone()


@rule(torch.masked.median)
def masked_median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    exact, dim = input.is_floating_point(), single(dim)
    values = shown(input if exact else input.to(oneflow.float32), mask, math.nan)
    kind = input.dtype if exact or dtype is None else dtype  # of floats torch drops what is asked for
    if values.ndim == 0:
        return values.to(kind)
    missing = oneflow.isnan(values)
    order = oneflow.argsort(oneflow.masked_fill(values, missing, math.inf), dim=dim).to(oneflow.int64)
    number = oneflow.sum(oneflow.logical_not(missing).to(oneflow.int64), dim, True)
    middle = oneflow.clamp(oneflow.floor((number - 1) / 2).to(oneflow.int64), min=0)
    found = oneflow.gather(values, dim, oneflow.gather(order, dim, middle)).to(kind)
    return found if keepdim else found.squeeze(dim)
