"""torch.nn.functional: layout."""

import oneflow

from rewriters.rule import family, rule
from rewriters.targets.oneflow.rules.linalg.norms import norm_of


@family("softmax log_softmax")
@rule("torch.nn.functional.softmax:laid")
def softmax(input, dim=None, _stacklevel=3, dtype=None):
    axis = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return oneflow.nn.functional.softmax(input if dtype is None else input.to(dtype), dim=axis).contiguous()


@rule("torch.nn.functional.softmin:laid")
def softmin(input, dim=None, _stacklevel=3, dtype=None):
    axis = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return oneflow.nn.functional.softmax(-input if dtype is None else -input.to(dtype), dim=axis).contiguous()


@rule("torch.nn.functional.gumbel_softmax:laid")
def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    return oneflow.nn.functional.gumbel_softmax(logits, tau=float(tau), hard=hard, dim=dim).contiguous()


@rule("torch.nn.functional.normalize:laid")
def normalize(input, p=2.0, dim=1, eps=1e-12):
    if isinstance(dim, (tuple, list)):
        return input / oneflow.clamp(norm_of(input, p, dim, True), min=eps)
    if p == 2 and eps != 1e-12:  # OneFlow's is the least square
        return oneflow.nn.functional.normalize(input, p=p, dim=dim, eps=eps**2).contiguous()
    return oneflow.nn.functional.normalize(input, p=p, dim=dim, eps=eps).contiguous()
