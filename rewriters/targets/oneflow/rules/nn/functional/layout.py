"""torch.nn.functional: layout."""

import oneflow

from rewriters.rule import family, rule


@family("softmax log_softmax")
@rule("torch.nn.functional.softmax:laid")
def softmax(input, dim=None, _stacklevel=3, dtype=None):
    axis = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return oneflow.nn.functional.softmax(input if dtype is None else input.to(dtype), dim=axis).contiguous()
