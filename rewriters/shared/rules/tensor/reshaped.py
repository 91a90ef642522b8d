"""Reshaping of what lies otherwise in the target than in torch: the one copies where the other gives a view."""

from rewriters.rule import differs, rule


def copied(x, like):
    """A copy, unless there is but one axis that is not of one element: then torch's is a view too."""
    return x.clone() if sum(size > 1 for size in like.shape) > 1 else x


# What is computed of a transposed tensor lies as that does in torch: reshaping it copies. Here it lies in one piece.
@rule("torch.Tensor.reshape:copied")
def reshape(self, *shape):
    return copied(self.reshape(*shape), self)


@rule("torch.reshape:copied")
def reshaped(input, shape):
    return copied(input.reshape(shape), input)


@rule("torch.Tensor.flatten:copied", "torch.flatten:copied")
def flatten(input, start_dim=0, end_dim=-1):
    return copied(input.reshape(-1) if input.ndim == 0 else input.flatten(start_dim, end_dim), input)


@rule("torch.Tensor.ravel:copied", "torch.ravel:copied")
def ravel(input):
    return copied(input.reshape(-1), input)


@rule("torch.Tensor.contiguous:copied")
def contiguous(self, memory_format=None):
    return copied(self, self)


# A row of what is computed of a transposed matrix is strided in torch, unless it has one element.
@rule("torch.Tensor.contiguous:strided")
def contiguous(self, memory_format=None):
    return self.clone() if self.shape[0] > 1 else self


@rule("torch.Tensor.ravel:strided", "torch.ravel:strided")
def ravel(input):
    return input.clone() if input.shape[0] > 1 else input


# What is transposed back lies in one piece in torch, so that reshaping it gives a view; here it copies.
@rule("torch.Tensor.reshape:torn")
def reshape(self, *shape):
    differs("torch's result shares memory with what it is of, Framework's is a copy: transpose later, or change both")
    return self.reshape(*shape)


@rule("torch.Tensor.view:torn")
def view(self, *shape):
    differs("torch's result shares memory with what it is of, Framework's is a copy: transpose later, or change both")
    return self.reshape(*shape)


@rule("torch.reshape:torn")
def reshaped(input, shape):
    differs("torch's result shares memory with what it is of, Framework's is a copy: transpose later, or change both")
    return input.reshape(shape)


@rule("torch.Tensor.flatten:torn", "torch.flatten:torn")
def flatten(input, start_dim=0, end_dim=-1):
    differs("torch's result shares memory with what it is of, Framework's is a copy: transpose later, or change both")
    return input.flatten(start_dim, end_dim)


@rule("torch.Tensor.ravel:torn", "torch.ravel:torn")
def ravel(input):
    differs("torch's result shares memory with what it is of, Framework's is a copy: transpose later, or change both")
    return input.flatten()


@rule("torch.Tensor.contiguous:torn")
def contiguous(self):
    differs("torch's result shares memory with what it is of, Framework's is a copy: transpose later, or change both")
    return self.contiguous()
