"""Views that are to be tensors of their own, where OneFlow gives the tensor itself: ``x[...]``, ``x.t()`` of one axis.

Of one axis, ``flatten()`` gives the tensor itself in torch, and another in OneFlow.
"""

import oneflow

from rewriters.rule import rule


@rule("torch.Tensor.__getitem__:own")
def take(self, index):
    return self[index].unsqueeze(0).squeeze(0)


@rule("torch.Tensor.t:own", "torch.t:own")
def exchanged(input):
    return input.unsqueeze(0).squeeze(0).t()


@rule("torch.flatten:own", "torch.Tensor.flatten:own")
def flatten(input, start_dim=0, end_dim=-1):
    if start_dim == 0 and end_dim == -1:
        return input if input.ndim == 1 else input.reshape(-1)
    return input if input.ndim == 1 else oneflow.flatten(input, start_dim, end_dim)
