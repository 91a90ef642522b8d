"""Methods of what may be a tensor."""

from rewriters.rule import rule


@rule("torch.Tensor.flatten:unknown")
def flatten(input):
    return input.reshape(-1)


@rule("torch.Tensor.flatten:unknown")
def flatten(input, start_dim, end_dim=-1):
    return input.flatten(start_dim, end_dim)
