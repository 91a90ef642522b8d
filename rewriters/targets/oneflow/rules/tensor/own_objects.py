"""Views that are to be tensors of their own, where OneFlow gives the tensor itself: ``x[...]``, ``x.t()`` of one axis.

Of one axis, ``flatten()`` gives the tensor itself in torch, and another in OneFlow.
"""

import copy

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


@rule("torch.Tensor.__copy__:shared")
def shallow_copy(x):
    """As copy.copy; of a tensor, another one in its memory."""
    if not isinstance(x, oneflow.Tensor):
        return copy.copy(x)
    if isinstance(x, oneflow.nn.Parameter):
        return oneflow.nn.Parameter(x, x.requires_grad)
    with oneflow.no_grad():
        made = x.unsqueeze(0).squeeze(0)
    made.requires_grad = x.requires_grad
    return made


@rule("torch.Tensor.__deepcopy__:deeply")
def deep_copy(x):
    """As copy.deepcopy; tensors in it ask for gradients, and have one, as before."""
    memo = {}
    made = copy.deepcopy(x, memo)
    for one in memo.get(id(memo), ()):  # what was copied
        if isinstance(one, oneflow.Tensor) and one.requires_grad:
            memo[id(one)].requires_grad_(True)
            if one.grad is not None:
                memo[id(one)].grad = one.grad.clone()
    return made
