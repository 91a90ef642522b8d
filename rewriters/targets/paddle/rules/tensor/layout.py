"""How what is computed lies in memory, where a program asks for it."""

from rewriters.rule import differs, rule


@rule("torch.Tensor.stride:computed")
def stride_of_computed(self, dim=None):
    differs("what is computed lies in memory as Paddle has it; count by .shape where it matters")
    return self.stride(dim)


@rule("torch.Tensor.is_contiguous:computed")
def is_contiguous_of_computed(self):
    differs("what is computed lies in memory as Paddle has it; call .contiguous() where it matters")
    return self.is_contiguous()
