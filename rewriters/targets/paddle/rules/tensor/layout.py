"""How what is computed lies in memory, where a program asks for it."""

import paddle

from rewriters.rule import differs, rule
from rewriters.targets.paddle.rules.strides import lies_in_one_piece


@rule("torch.Tensor.stride:computed")
def stride_of_computed(self, dim=None):
    differs("what is computed lies in memory as Paddle has it; count by .shape where it matters")
    return self.stride(dim)


@rule("torch.Tensor.is_contiguous:computed")
def is_contiguous_of_computed(self):
    differs("what is computed lies in memory as Paddle has it; call .contiguous() where it matters")
    return self.is_contiguous()


@rule("torch.Tensor.is_contiguous:view")
def is_contiguous_of_view(self, memory_format=None):
    if memory_format is not None:
        raise NotImplementedError("Paddle's tensors have one memory format; leave the question out")
    return lies_in_one_piece(self)


@rule("torch.as_strided:computed", "torch.Tensor.as_strided:computed")
def as_strided_of_computed(input, size, stride, storage_offset=None):
    differs("what is computed lies transposed in torch, not in Paddle: call .contiguous() first, in torch too")
    if storage_offset is None:
        return input.as_strided(size, stride)
    return input.as_strided(size, stride, storage_offset * input.element_size())


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
    return copied(paddle.flatten(input, start_axis=start_dim, stop_axis=end_dim), input)


@rule("torch.Tensor.ravel:copied", "torch.ravel:copied")
def ravel(input):
    return copied(input.flatten(), input)


@rule("torch.Tensor.contiguous:copied")
def contiguous(self, memory_format=None):
    return copied(self, self)


# What is transposed back lies in one piece in torch, so that reshaping it gives a view; here it copies.
@rule("torch.Tensor.reshape:torn")
def reshape(self, *shape):
    differs("torch's result shares memory with what it is of, Paddle's is a copy: transpose later, or change both")
    return self.reshape(*shape)


@rule("torch.reshape:torn")
def reshaped(input, shape):
    differs("torch's result shares memory with what it is of, Paddle's is a copy: transpose later, or change both")
    return input.reshape(shape)


@rule("torch.Tensor.flatten:torn", "torch.flatten:torn")
def flatten(input, start_dim=0, end_dim=-1):
    differs("torch's result shares memory with what it is of, Paddle's is a copy: transpose later, or change both")
    return paddle.flatten(input, start_axis=start_dim, stop_axis=end_dim)


@rule("torch.Tensor.ravel:torn", "torch.ravel:torn")
def ravel(input):
    differs("torch's result shares memory with what it is of, Paddle's is a copy: transpose later, or change both")
    return input.flatten()


@rule("torch.Tensor.contiguous:torn")
def contiguous(self):
    differs("torch's result is the tensor itself, Paddle's is a copy: transpose later, or change both")
    return self.contiguous()
