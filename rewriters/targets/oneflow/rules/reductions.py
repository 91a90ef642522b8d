"""Reductions: sums, moments, extremes, counts."""

import math

import oneflow
import torch

from rewriters.rule import BoolTensor, FloatTensor, IntTensor, Rank, family, rule


@rule(torch.sum, torch.Tensor.sum)
def sum(input, *, dtype=None):
    if dtype is None:
        return oneflow.sum(input)
    return oneflow.sum(input.to(dtype))


@rule(torch.sum, torch.Tensor.sum)
def sum(input, dim, keepdim=False, *, dtype=None):
    if dim is None:
        dim = ()
    if dtype is not None:
        input = input.to(dtype)
    if not keepdim:
        return oneflow.sum(input, dim)
    return oneflow.sum(input, dim, keepdim=True)


@rule(torch.nansum, torch.Tensor.nansum)
def nansum(input, dim=(), keepdim=False, *, dtype=None):
    # the gradient of OneFlow's own is wrong where there is a NaN
    if input.is_floating_point():
        input = oneflow.masked_fill(input, oneflow.isnan(input), 0.0)
    found = oneflow.sum(input if dtype is None else input.to(dtype), () if dim is None else dim, keepdim)
    return found if dtype is None else found.to(dtype)


@rule(torch.nanmean, torch.Tensor.nanmean)
def nanmean(input, dim=(), keepdim=False, *, dtype=None):
    input = input if dtype is None else input.to(dtype)
    missing = oneflow.isnan(input)
    total = oneflow.sum(oneflow.masked_fill(input, missing, 0.0), () if dim is None else dim, keepdim)
    return total / oneflow.sum(oneflow.logical_not(missing).to(input.dtype), () if dim is None else dim, keepdim)


@rule("torch.mean:picked", "torch.Tensor.mean:picked")
def mean_of_picked(input, dim=None, keepdim=False, *, dtype=None):
    input = input if dtype is None else input.to(dtype)
    found = oneflow.mean(input) if dim is None else oneflow.mean(input, dim, keepdim)
    return found if input.numel() else found * math.nan  # of nothing OneFlow's is 0


@rule(torch.prod, torch.Tensor.prod)
def prod(input, *, dtype=None):
    return product(input if dtype is None else input.to(dtype), whole=dtype is None)


def product(input, dim=None, keepdim=False, whole=True):
    """By cumprod where a gradient is asked for and there is a zero: that of OneFlow's prod divides by it.

    whole: of integers and truth values it is int64.
    """
    if whole and not input.is_floating_point():
        input = input.to(oneflow.int64)
    if input.ndim == 0:
        return input.clone()
    if input.numel() == 0:
        return oneflow.sum(input, () if dim is None else dim, keepdim) + 1
    if not (input.requires_grad and oneflow.is_grad_enabled() and bool((input == 0).sum() > 0)):
        return oneflow.prod(input) if dim is None else oneflow.prod(input, dim, keepdim)
    if dim is None:
        return oneflow.cumprod(input.reshape(-1), 0)[-1]
    found = oneflow.narrow(oneflow.cumprod(input, dim), dim, input.shape[dim] - 1, 1)
    return found if keepdim else found.squeeze(dim)


@rule(torch.prod, torch.Tensor.prod)
def prod(input, dim, keepdim=False, *, dtype=None):
    return product(input if dtype is None else input.to(dtype), dim, keepdim, whole=dtype is None)


@family("all any")
@rule(torch.all)
def all(input: BoolTensor):
    return oneflow.all(input)


@family("all any")
@rule(torch.all)
def all(input):
    return oneflow.all(input != 0)


@family("all any")
@rule(torch.all, torch.Tensor.all)
def all(input: BoolTensor, dim, keepdim=False):
    return oneflow.all(input, () if dim is None else dim, keepdim)


@family("all any")
@rule(torch.all, torch.Tensor.all)
def all(input, dim, keepdim=False):
    return oneflow.all(input != 0, () if dim is None else dim, keepdim)


@family("all any")
@rule("torch.all:bytes", "torch.Tensor.all:bytes")
def all_of_bytes(input, dim=None, keepdim=False):
    found = oneflow.all(input != 0, () if dim is None else dim, keepdim)
    return found.to(oneflow.uint8) if input.dtype == oneflow.uint8 else found


@rule(torch.count_nonzero, torch.Tensor.count_nonzero)
def count_nonzero(input, dim=()):
    return oneflow.sum((input != 0).to(oneflow.int64), () if dim is None else dim)


@rule(torch.var, torch.Tensor.var)
def var(input, unbiased: bool):
    return spread(input, None, 1 if unbiased else 0, False)


@rule(torch.var, torch.Tensor.var)
def var(input, dim: int, unbiased: bool, keepdim=False):
    if dim > 0 or dim < -1:
        return oneflow.var(input, dim, unbiased=unbiased, keepdim=keepdim)
    return spread(input, dim, 1 if unbiased else 0, keepdim)


@rule(torch.var, torch.Tensor.var)
def var(input, dim, unbiased: bool, keepdim=False):
    return spread(input, dim, 1 if unbiased else 0, keepdim)


@rule(torch.var, torch.Tensor.var)
def var(input, dim=None, *, correction=1, keepdim=False):
    if isinstance(dim, int) and (dim > 0 or dim < -1) and correction in (0, 1):
        return oneflow.var(input, dim, unbiased=correction == 1, keepdim=keepdim)
    return spread(input, dim, correction, keepdim)


def spread(input, dim, correction, keepdim):
    """The variance: OneFlow's own takes no axis of a vector, no list of axes and no other correction than 0 and 1."""
    if input.dtype == oneflow.bfloat16:
        return spread(input.float(), dim, correction, keepdim).to(oneflow.bfloat16)
    axes = range(input.ndim) if dim is None or dim == () or dim == [] else dim
    axes = axes if isinstance(axes, (tuple, list, range)) else (axes,)
    axes = [int(axis) % input.ndim for axis in axes] if input.ndim else []
    count = math.prod(input.shape[axis] for axis in axes)
    away = input - (oneflow.mean(input, axes, keepdim=True) if axes else input)
    total = oneflow.sum(away * away, axes, keepdim) if axes else away * away
    divisor = count - (1 if correction is None else correction)
    return total / divisor if divisor > 0 else total / oneflow.zeros_like(total)


def deviation(variance):
    """The root, whose gradient at 0 is 0 as torch's."""
    if variance.dtype == oneflow.bfloat16:
        return deviation(variance.float()).to(oneflow.bfloat16)
    none = variance == 0
    return oneflow.masked_fill(oneflow.sqrt(oneflow.masked_fill(variance, none, 1.0)), none, 0.0)


@rule(torch.std, torch.Tensor.std)
def std(input, unbiased: bool):
    return deviation(spread(input, None, 1 if unbiased else 0, False))


@rule(torch.std, torch.Tensor.std)
def std(input, dim, unbiased: bool, keepdim=False):
    return deviation(spread(input, dim, 1 if unbiased else 0, keepdim))


@rule(torch.std, torch.Tensor.std)
def std(input, dim=None, *, correction=1, keepdim=False):
    return deviation(spread(input, dim, correction, keepdim))


def axes_of_spread(args, kwargs):
    """Numbers, none for all: a flag in their place is no axis."""
    dim = kwargs.get("dim", args[0] if args and not isinstance(args[0], bool) else None)
    if dim is None:
        return ()
    return [int(axis) for axis in dim] if isinstance(dim, (tuple, list)) else int(dim)


@rule(torch.std_mean)
def std_mean(input, *args, **kwargs):
    keepdim = kwargs.get("keepdim", len(args) > 2 and args[2])
    return deviation(var(input, *args, **kwargs)), oneflow.mean(input, axes_of_spread(args, kwargs), keepdim)


@rule(torch.var_mean)
def var_mean(input, *args, **kwargs):
    keepdim = kwargs.get("keepdim", len(args) > 2 and args[2])
    return var(input, *args, **kwargs), oneflow.mean(input, axes_of_spread(args, kwargs), keepdim)


@rule(torch.logsumexp, torch.Tensor.logsumexp, torch.special.logsumexp)
def logsumexp(input: Rank[0], dim, keepdim=False):
    return oneflow.logsumexp(input.reshape(1), 0)  # without axes OneFlow gives float32


@rule(torch.logsumexp, torch.Tensor.logsumexp, torch.special.logsumexp)
def logsumexp(input, dim, keepdim=False):
    if not keepdim:
        return oneflow.logsumexp(input, dim)
    return oneflow.logsumexp(input, dim, keepdim=True)


@rule(torch.bincount, torch.Tensor.bincount)
def bincount(input, weights: FloatTensor, minlength=0):
    return oneflow.bincount(input, weights=weights, minlength=minlength)


@rule(torch.bincount, torch.Tensor.bincount)
def bincount(input, weights=None, minlength=0):
    if weights is None:
        return oneflow.bincount(input, minlength=minlength)
    weights = weights if weights.is_floating_point() else weights.double()
    return oneflow.bincount(input, weights=weights, minlength=minlength)


@rule(torch.trace, torch.Tensor.trace)
def trace(input):
    return oneflow.sum(oneflow.diagonal(input))


@rule(torch.trapezoid, torch.trapz)
def trapezoid(y, x=None, *, dx=1, dim=-1):
    return oneflow.sum(panels(y, x, dx, dim), dim)


@rule(torch.cumulative_trapezoid)
def cumulative_trapezoid(y, x=None, *, dx=1, dim=-1):
    return oneflow.cumsum(panels(y, x, dx, dim), dim)


def panels(y, x, dx, dim):
    """The areas between neighbours along an axis."""
    count = y.shape[dim]
    heights = (oneflow.narrow(y, dim, 1, count - 1) + oneflow.narrow(y, dim, 0, count - 1)) / 2
    if x is None:
        return heights * dx
    if x.ndim == 1 and y.ndim > 1:
        x = x.reshape([-1 if axis == dim % y.ndim else 1 for axis in range(y.ndim)])
    axis = dim % y.ndim - y.ndim
    return heights * (oneflow.narrow(x, axis, 1, x.shape[axis] - 1) - oneflow.narrow(x, axis, 0, x.shape[axis] - 1))


@rule(torch.mean)
def mean(input, dim=(), keepdim=False, *, dtype=None):
    if dtype is not None:
        input = input.to(dtype)
    if dim == () and not keepdim:
        return oneflow.mean(input)
    return oneflow.mean(input, () if dim is None else dim, keepdim)


@rule(torch.sum, torch.Tensor.sum)
def sum_of_one(input: Rank[0]):
    return oneflow.sum(input.reshape(1))  # without axes OneFlow keeps bool and int32


@rule("torch.sum:counted", "torch.Tensor.sum:counted")
def sum_of_truths(input):
    return oneflow.sum(input).to(oneflow.int64)  # without axes OneFlow keeps bool and int32


@rule("torch.sum:bare", "torch.Tensor.sum:bare")
def sum_of_bare(input):
    found = oneflow.sum(input)  # without axes it is the tensor itself, of its dtype
    return found.clone() if input.is_floating_point() else found.to(oneflow.int64)


@rule("torch.Tensor.sum:truths")
def sum_of_truths_method(self):
    return self.long().sum()  # without axes OneFlow keeps bool


@rule("torch.Tensor.prod:counted")
def product_of_truths(input):
    return oneflow.prod(input.long())


@rule("torch.sum:truths")
def sum_of_truths_of(input):
    return oneflow.sum(input.long())


@rule("torch.sum:apart", "torch.sum:lent", "torch.Tensor.sum:apart")
def sum_apart(input):
    return oneflow.sum(input).clone()  # without axes it lies in the tensor's own memory


@family("sum mean")
@rule("torch.Tensor.sum:lent")
def sum_of_unknown(value):
    if isinstance(value, oneflow.Tensor) and value.ndim == 0:
        return oneflow.sum(value).clone()  # OneFlow's lies in the tensor's own memory
    return value.sum()


@rule("torch.mean:apart", "torch.mean:lent", "torch.Tensor.mean:apart")
def mean_apart(input):
    return oneflow.mean(input).clone()


@family("sum all any")
@rule(torch.Tensor.sum)
def sum_method(self):
    return self.sum()


@rule(torch.Tensor.sum)
def sum_method(self, dim: int | list | tuple):
    return self.sum(dim)


@rule(torch.Tensor.sum)
def sum_method(self, dim: int | list | tuple, keepdim):
    return self.sum(dim, keepdim)


@rule(torch.prod, torch.Tensor.prod)
def prod(input: IntTensor | BoolTensor, *, dtype=None):
    return oneflow.prod(input.to(oneflow.int64 if dtype is None else dtype))


@rule(torch.prod, torch.Tensor.prod)
def prod(input: IntTensor | BoolTensor, dim, keepdim=False, *, dtype=None):
    return oneflow.prod(input.to(oneflow.int64 if dtype is None else dtype), dim, keepdim=keepdim)


@rule(torch.sum, torch.Tensor.sum)
def sum(input: IntTensor | BoolTensor, dim=(), keepdim=False, *, dtype):
    # OneFlow's sum of integers is int64 whatever they were
    return oneflow.sum(input.to(dtype), dim, keepdim=keepdim).to(dtype)


@rule(torch.Tensor.mean)
def mean(self, dim=(), keepdim=False, *, dtype):
    return oneflow.mean(self.to(dtype), dim, keepdim=keepdim)


@rule(torch.Tensor.mean)
def mean(self):
    return self.mean()


@rule(torch.Tensor.mean)
def mean(self, dim, keepdim=False):
    return self.mean(dim, keepdim)
