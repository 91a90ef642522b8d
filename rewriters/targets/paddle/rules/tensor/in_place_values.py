"""In-place forms that fill, bound or reshape a tensor. See in_place.py for how a value is assigned."""

import warnings

import paddle
import torch

from rewriters.rule import Rank, becomes, family, rule

becomes(torch.Tensor.fill_diagonal_, paddle.Tensor.fill_diagonal_)
becomes(torch.Tensor.unsqueeze_, paddle.Tensor.unsqueeze_)
becomes(torch.Tensor.t_, paddle.Tensor.t_)


@rule(torch.fill_, torch.Tensor.fill_)
def fill_(input, value: paddle.Tensor):
    return paddle.assign(paddle.expand_as(value.astype(input.dtype), input), input)


@rule(torch.fill_, torch.Tensor.fill_)
def fill_(input, value):
    return input.fill_(value)


@rule(torch.clamp_, torch.clip_, torch.Tensor.clamp_, torch.Tensor.clip_)
def clamp_(input, min: int | float | None = None, max: int | float | None = None):
    return input.clip_(min=min, max=max)


@rule(torch.clamp_, torch.clip_, torch.Tensor.clamp_, torch.Tensor.clip_)
def clamp_(input, min: paddle.Tensor | None = None, max: paddle.Tensor | None = None):
    value = input.clone()
    if min is not None:
        value = paddle.maximum(value, min.astype(value.dtype))
    if max is not None:
        value = paddle.minimum(value, max.astype(value.dtype))
    return paddle.assign(value, input)


@family("min max")
@rule(torch.clamp_min_, torch.Tensor.clamp_min_)
def clamp_min_(input, min: int | float):
    return input.clip_(min=min)


@family("min max", "maximum minimum")
@rule(torch.clamp_min_, torch.Tensor.clamp_min_)
def clamp_min_(input, min: paddle.Tensor):
    return paddle.assign(paddle.maximum(input.clone(), min), input)


@rule(torch.Tensor.renorm_)
def renorm_(self, p, dim, maxnorm):
    if p == 1e999:
        raise NotImplementedError(
            "paddle.renorm is wrong for the infinity norm; divide by amax(abs(x)) where it is larger"
        )
    return self.renorm_(p, dim, maxnorm)


@rule(torch.Tensor.squeeze_)
def squeeze_(self, dim=None):
    if isinstance(dim, (list, tuple)) and len(dim) == 0:
        return self  # for Paddle no axes are all of them
    return self.squeeze_(axis=dim)


@rule(torch.Tensor.transpose_, torch.Tensor.swapdims_)
def transpose_(self, dim0, dim1):
    axes = list(range(self.ndim))
    axes[dim0], axes[dim1] = axes[dim1], axes[dim0]
    return self.transpose_(axes)


@rule(torch.Tensor.swapaxes_)
def swapaxes_(self, axis0, axis1):
    return transpose_(self, axis0, axis1)


@family("tril triu")
@rule(torch.Tensor.tril_)
def tril_(self, diagonal=0):
    return self.tril_(diagonal=diagonal)


@family("cumsum cumprod", "axis dim")
@rule(torch.Tensor.cumsum_)
def cumsum_(self, dim, *, dtype=None):
    return self.cumsum_(axis=dim)


@rule("torch.Tensor.grad:changed")
def grad_to_change(self):
    return self.grad.detach()


@rule("torch.Tensor.grad:held")
def grad(self):
    """The gradient as a tensor in no graph, in memory that stays when the gradient is cleared; x.grad in others."""
    held = self.grad
    if not isinstance(held, paddle.Tensor) or not held.is_leaf:
        return held
    return held.detach().view(held.shape)


@rule("torch.Tensor.grad=:held")
def set_grad(self, value):
    """Store a gradient that others hold too: what is added to it is added to theirs."""
    kept = None if value is None else value.detach().view(value.shape)  # which may be the old one
    self.clear_gradient(False)  # else Paddle writes into the old one, which others hold
    self.grad = kept
    if kept is None or not kept.is_dense():
        return
    if kept.is_contiguous():
        self.grad.get_tensor()._share_data_with(kept.get_tensor())
    else:
        warnings.warn("gradients that are added to a strided view do not change it in Paddle", stacklevel=2)


@rule("torch.Tensor.grad=:unknown")
def set_grad_of_any(self, value):
    if isinstance(self, paddle.Tensor) and isinstance(value, paddle.Tensor):
        set_grad(self, value)
    else:
        self.grad = value


@rule(torch.Tensor.transpose_, torch.Tensor.swapdims_)
def transpose_of_one_(self: Rank[0], dim0, dim1):
    return self


@rule(torch.Tensor.swapaxes_)
def swapaxes_(self: Rank[0], axis0, axis1):
    return self
