"""torch.Tensor: gradients of a tensor."""

import paddle
import torch

from rewriters.rule import becomes, family, rule

becomes(torch.Tensor.retain_grad, paddle.Tensor.retain_grads)
becomes(torch.Tensor.register_hook, paddle.Tensor.register_hook)


@rule(torch.Tensor.backward)
def tensor_backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    if create_graph:
        raise NotImplementedError("Paddle's backward builds no graph; use paddle.grad(..., create_graph=True)")
    if inputs is not None:
        raise NotImplementedError("Paddle's backward goes to all leaves; use paddle.grad for some of them")
    return self.backward(gradient, retain_graph=False if retain_graph is None else retain_graph)


@family("detach detach_")
@rule(torch.Tensor.detach, torch.detach)
def detach(input):
    return input.detach()


@rule(torch.detach_copy)
def detach_copy(input):
    return input.detach().clone()


@rule(torch.Tensor.register_post_accumulate_grad_hook)
def register_post_accumulate_grad_hook(self, hook):
    return self._register_backward_hook(lambda: hook(self))


@rule(torch.Tensor.grad_dtype)
def grad_dtype(self):
    return self.dtype


@rule(torch.Tensor.module_load)
def module_load(self, other, assign=False):
    return other.detach() if assign else paddle.assign(other.detach(), self.detach())


@rule("torch.Tensor.grad:deleted")
def delete_gradient(x):
    """Of a tensor it is None then: Paddle's own ends the process when the gradient is read again."""
    if isinstance(x, paddle.Tensor):
        x.grad = None
    else:
        del x.grad
