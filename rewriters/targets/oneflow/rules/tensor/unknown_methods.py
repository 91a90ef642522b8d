"""Methods of what may be a tensor."""

import oneflow

from rewriters.rule import rule


@rule("torch.Tensor.flatten:unknown")
def flatten(input):
    return input.reshape(-1)


@rule("torch.Tensor.flatten:unknown")
def flatten(input, start_dim, end_dim=-1):
    return input.flatten(start_dim, end_dim)


@rule("torch.Tensor:unknown")
def method(receiver, name, function):
    # Of a tensor the method is torch's; of anything else, its own.
    if isinstance(receiver, oneflow.Tensor):
        return lambda *args, **kwargs: function(receiver, *args, **kwargs)
    return getattr(receiver, name)
