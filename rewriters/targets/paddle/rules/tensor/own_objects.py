"""Views that are to be tensors of their own: of the same shape, or one axis, Paddle gives the tensor itself.

What stands in its memory only, as by ``x[...]``, has its shape in common with it: what changes the one in place
(``unsqueeze_``) changes the other.

Of one axis, ``flatten()`` gives the tensor itself in torch, and another in Paddle.
"""

import paddle

from rewriters.rule import rule


@rule("torch.Tensor.T:own")
def turned(self):
    return self.unsqueeze(0).squeeze(0).T


@rule("torch.Tensor.t:own", "torch.t:own")
def exchanged(input):
    return input.unsqueeze(0).squeeze(0).t()


@rule("torch.Tensor.view:own", "torch.Tensor.reshape:own")
def reshape(self, *shape: int):
    return self.unsqueeze(0).reshape(shape)


@rule("torch.Tensor.view:own", "torch.Tensor.reshape:own")
def reshape(self, shape: list | tuple):
    return self.unsqueeze(0).reshape(shape)


@rule("torch.Tensor.view:own")
def view(self, dtype: paddle.dtype):
    return self.view(dtype)


@rule("torch.Tensor.view:own", "torch.Tensor.reshape:own")
def reshape(self, *shape):
    return self.unsqueeze(0).reshape(*shape)


@rule("torch.Tensor.view:own", "torch.Tensor.reshape:own")
def reshape(self, first, second, *more):
    return self.unsqueeze(0).reshape([first, second, *more])


@rule("torch.reshape:own")
def reshape_function(input, shape):
    return input.unsqueeze(0).reshape(shape)


@rule("torch.Tensor.view_as:own", "torch.Tensor.reshape_as:own")
def reshape_as(self, other):
    return self.unsqueeze(0).reshape(other.shape)


@rule("torch.Tensor.detach:own", "torch.detach:own")
def detach(input):
    return input.detach().unsqueeze(0).squeeze(0)


@rule("torch.Tensor.data:own")
def data(self):
    return self.data.unsqueeze(0).squeeze(0)


@rule("torch.Tensor.__getitem__:own")
def take(self, index):
    return self[index].unsqueeze(0).squeeze(0)


@rule("torch.flatten:own", "torch.Tensor.flatten:own")
def flatten(input, start_dim=0, end_dim=-1):
    made = paddle.flatten(input, start_axis=start_dim, stop_axis=end_dim)
    return input if made.shape == input.shape else made


@rule("torch.Tensor.data:alone")
def data_alone(self):
    """What lies in its memory, whose changes no graph is told of: Paddle's own data counts them with the tensor's."""
    return paddle.from_dlpack(self.detach())
