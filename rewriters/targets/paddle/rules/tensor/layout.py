"""How what is computed lies in memory, where a program asks for it."""

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
