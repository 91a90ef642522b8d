"""Softmaxes that lie in one piece, as torch's do."""

import oneflow

from rewriters.rule import family, rule


@family("softmax log_softmax")
@rule("torch.softmax:laid", "torch.Tensor.softmax:laid")
def softmax_along(input, dim, dtype=None):
    return oneflow.nn.functional.softmax(input if dtype is None else input.to(dtype), dim=dim).contiguous()
