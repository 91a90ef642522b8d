"""Transposed tensors that are to be tensors of their own: of one axis Paddle gives the tensor itself."""

from rewriters.rule import rule


@rule("torch.Tensor.T:own")
def turned(self):
    return self.T[...]


@rule("torch.Tensor.t:own", "torch.t:own")
def exchanged(input):
    return input.t()[...]
