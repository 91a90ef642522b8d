"""torch: reductions."""

import paddle
import torch

from rewriters.rule import BoolTensor, IntTensor, Rank, becomes, family, note, rule
from rewriters.targets.paddle.rules.arithmetic import floats

becomes(torch.logsumexp, torch.Tensor.logsumexp, torch.special.logsumexp, paddle.logsumexp, dim="axis")
becomes(torch.dist, torch.Tensor.dist, paddle.dist)
becomes(torch.bincount, torch.Tensor.bincount, paddle.bincount)
becomes(torch.trace, torch.Tensor.trace, paddle.trace)


@rule(torch.trace, torch.Tensor.trace)
def trace(input: IntTensor):
    # of int32 it is int32, of shorter ones there is none
    return paddle.trace(input.astype("int64"))


@family("sum nansum")
@rule(torch.sum, torch.Tensor.sum)
def sum(input, dim=None, keepdim=False, *, dtype=None):
    if dtype is None:
        return paddle.sum(input, axis=dim, keepdim=keepdim)
    # of nothing its own sum keeps the dtype, and of int32 it is int64
    return input.astype(dtype).sum(axis=dim, dtype=dtype, keepdim=keepdim)


note(
    torch.mean,
    torch.Tensor.mean,
    "on the CPU Paddle adds one by one in float32: of 50,000 equal elements the mean is off by 5e-4, of a million 1e-3",
)


@rule(torch.mean, torch.Tensor.mean)
def mean(input, dim=None, keepdim=False, *, dtype=None):
    return paddle.mean(input, axis=dim, keepdim=keepdim, dtype=dtype)


@rule(torch.nanmean, torch.Tensor.nanmean)
def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    return paddle.nanmean(input if dtype is None else input.astype(dtype), axis=dim, keepdim=keepdim)


@family("all any")
@rule(torch.all, torch.Tensor.all)
def all(input, dim=None, keepdim=False):
    return paddle.all(input, axis=dim, keepdim=keepdim)


@family("all any")
@rule("torch.all:bytes", "torch.Tensor.all:bytes")
def all_of_bytes(input, dim=None, keepdim=False):
    # Paddle's own takes no uint8
    found = paddle.all(input != 0, axis=dim, keepdim=keepdim)
    return found.astype("uint8") if input.dtype == paddle.uint8 else found


@rule(torch.prod, torch.Tensor.prod)
def prod(input, dim=None, keepdim=False, *, dtype=None):
    if input.stop_gradient or input.size == 0:
        return paddle.prod(input, axis=dim, keepdim=keepdim, dtype=dtype)
    # its gradient has NaN where an element is 0; that of the running products has none
    row = input.flatten() if dim is None else paddle.moveaxis(input, dim, -1)
    last = row.cumprod(-1, dtype=dtype)[..., -1]
    return last if not keepdim else last.unsqueeze(list(range(input.ndim)) if dim is None else dim)


@rule(torch.count_nonzero, torch.Tensor.count_nonzero)
def count_nonzero(input, dim=None):
    return paddle.count_nonzero(input, axis=dim)


@rule(torch.Tensor.count_nonzero)
def count_nonzero(self, *dim: int):
    return paddle.count_nonzero(self, axis=dim)


note(
    torch.std,
    torch.Tensor.std,
    torch.std_mean,
    "where all values are equal, the gradient of Paddle's std is NaN, torch's is 0",
)


@family("std var")
@rule(torch.std, torch.Tensor.std)
def std(input, unbiased: bool):
    return paddle.std(input, unbiased=unbiased)


@family("std var")
@rule(torch.std, torch.Tensor.std)
def std(input, dim, unbiased, keepdim=False):
    return paddle.std(input, axis=dim, unbiased=unbiased, keepdim=keepdim)


@rule(torch.std, torch.Tensor.std)
def std(input, dim=None, *, correction=1, keepdim=False):
    if correction == 0:
        return paddle.std(input, axis=dim, unbiased=False, keepdim=keepdim)
    if correction is None or correction == 1:
        return paddle.std(input, axis=dim, keepdim=keepdim)
    return paddle.sqrt(paddle.var(input, axis=dim, keepdim=keepdim, correction=correction))


@rule(torch.var, torch.Tensor.var)
def var(input, dim=None, *, correction=1, keepdim=False):
    return paddle.var(input, axis=dim, keepdim=keepdim, correction=1 if correction is None else correction)


@family("std var")
@rule(torch.std_mean)
def std_mean(input, *args, **kwargs):
    if "axis" in kwargs:
        kwargs["dim"] = kwargs.pop("axis")
    keepdim = kwargs.get("keepdim", len(args) > 2 and args[2])
    dim = kwargs.get("dim", args[0] if args and not isinstance(args[0], bool) else None)
    return std(input, *args, **kwargs), paddle.mean(input, axis=dim, keepdim=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, p: str, dim=None, keepdim=False, dtype=None):
    if dtype is not None:
        input = input.astype(dtype)
    return paddle.norm(input, p=p, axis=dim, keepdim=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, *, keepdim=False, dtype=None):
    if dtype is not None:
        input = input.astype(dtype)
    return paddle.norm(input, keepdim=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, p, *, keepdim=False, dtype=None):
    if dtype is not None:
        input = input.astype(dtype)
    return paddle.norm(input, p=p, keepdim=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, p, dim: int, keepdim=False, dtype=None):
    if dtype is not None:
        input = input.astype(dtype)
    return paddle.norm(input, p=p, axis=dim, keepdim=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, *, dim: int, keepdim=False, dtype=None):
    if dtype is not None:
        input = input.astype(dtype)
    return paddle.norm(input, axis=dim, keepdim=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, p, *, dim: int, keepdim=False, dtype=None):
    if dtype is not None:
        input = input.astype(dtype)
    return paddle.norm(input, p=p, axis=dim, keepdim=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, *, dim: list | tuple, keepdim=False, dtype=None):
    if dtype is not None:
        input = input.astype(dtype)
    return paddle.linalg.vector_norm(input, p=2, axis=dim, keepdim=keepdim)


@rule(torch.norm, torch.Tensor.norm, torch.functional.norm)
def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    if dtype is not None:
        input = input.astype(dtype)
    if p == "nuc" or dim is None or isinstance(dim, int):
        return paddle.norm(input, p=p, axis=dim, keepdim=keepdim)
    # of two axes Paddle's own takes the norm of matrices, torch's that of their elements
    return paddle.linalg.vector_norm(input, p=2 if p is None or p == "fro" else p, axis=dim, keepdim=keepdim)


@rule(torch.renorm, torch.Tensor.renorm)
def renorm(input, p, dim, maxnorm):
    if p == 1e999:
        raise NotImplementedError(
            "paddle.renorm is wrong for the infinity norm; divide by amax(abs(x)) where it is larger"
        )
    return paddle.renorm(input, p, dim, maxnorm)


@rule(torch.trapezoid, torch.trapz)
def trapezoid(y: IntTensor, x=None, *, dx=None, dim=-1):
    return paddle.trapezoid(floats(y), x=None if x is None else floats(x), dx=dx, axis=dim)


@rule(torch.cumulative_trapezoid)
def cumulative_trapezoid(y: IntTensor, x=None, *, dx=None, dim=-1):
    return paddle.cumulative_trapezoid(floats(y), x=None if x is None else floats(x), dx=dx, axis=dim)


@rule(torch.trapezoid, torch.trapz)
def trapezoid(y, x: IntTensor, *, dim=-1):
    return paddle.trapezoid(y, x=floats(x), axis=dim)


@rule(torch.trapezoid, torch.trapz)
def trapezoid(y, x=None, *, dx=None, dim=-1):
    return paddle.trapezoid(y, x=x, dx=dx, axis=dim)


@rule(torch.cumulative_trapezoid)
def cumulative_trapezoid(y, x: IntTensor, *, dim=-1):
    return paddle.cumulative_trapezoid(y, x=floats(x), axis=dim)


@rule(torch.cumulative_trapezoid)
def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    return paddle.cumulative_trapezoid(y, x=x, dx=dx, axis=dim)


@rule(torch.sum, torch.Tensor.sum)
def sum(input: IntTensor, dim=None, keepdim=False, *, dtype=None):
    if dtype is None:
        return paddle.sum(input, axis=dim, dtype="int64", keepdim=keepdim)  # of uint8 Paddle's own overflows
    return input.astype(dtype).sum(axis=dim, dtype=dtype, keepdim=keepdim)


@rule("torch.sum:bytes", "torch.Tensor.sum:bytes")
def sum_of_any(input, dim=None, keepdim=False, *, dtype=None):
    if dtype is None and not (input.is_floating_point() or input.is_complex()):
        dtype = "int64"
    return (input if dtype is None else input.astype(dtype)).sum(axis=dim, dtype=dtype, keepdim=keepdim)


@rule(torch.prod, torch.Tensor.prod)
def prod(input: IntTensor | BoolTensor, dim=None, keepdim=False, *, dtype=None):
    return paddle.prod(input.astype("int64" if dtype is None else dtype), axis=dim, keepdim=keepdim)


@rule(torch.mean, torch.Tensor.mean)
def mean(input: IntTensor | BoolTensor, dim=None, keepdim=False, *, dtype):
    return paddle.mean(input.astype(dtype), axis=dim, keepdim=keepdim)


@rule(torch.prod, torch.Tensor.prod)
def prod(input: Rank[0], dim=None, keepdim=False, *, dtype=None):
    return paddle.sum(input, dtype=dtype)  # Paddle's product hands a zero the gradient NaN
