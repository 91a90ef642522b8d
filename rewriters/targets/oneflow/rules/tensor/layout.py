"""Reshaping of what was computed of a transposed tensor, which torch copies; softmaxes that lie in one piece."""

import oneflow

from rewriters.rule import family, rule


def copied(x, like):
    """A copy, unless there is but one axis that is not of one element: then torch's is a view too."""
    return x.clone() if sum(size > 1 for size in like.shape) > 1 else x


@rule("torch.Tensor.reshape:copied")
def reshape(self, *shape):
    return copied(self.reshape(*shape), self)


@rule("torch.Tensor.flatten:copied")
def flatten(self, start_dim=0, end_dim=-1):
    return copied(self.reshape(-1) if self.ndim == 0 else self.flatten(start_dim, end_dim), self)


@rule("torch.Tensor.ravel:copied")
def ravel(self):
    return copied(self.reshape(-1), self)


@rule("torch.Tensor.contiguous:copied")
def contiguous(self, memory_format=None):
    return copied(self, self)


@rule("torch.reshape:copied")
def reshaped(input, shape):
    return copied(input.reshape(shape), input)


@rule("torch.flatten:copied")
def flattened(input, start_dim=0, end_dim=-1):
    return copied(input.reshape(-1) if input.ndim == 0 else input.flatten(start_dim, end_dim), input)


@rule("torch.ravel:copied")
def raveled(input):
    return copied(input.reshape(-1), input)


@family("softmax log_softmax")
@rule("torch.softmax:laid", "torch.Tensor.softmax:laid")
def softmax_along(input, dim, dtype=None):
    return oneflow.nn.functional.softmax(input if dtype is None else input.to(dtype), dim=dim).contiguous()
