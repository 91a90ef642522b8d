"""Methods and properties of Tensor."""

import torch

from rewriters.rule import alias, rule, same

alias(torch.Tensor, "paddle.Tensor")

# Proved by tests/rewriters/test_rules_run.py until the generated table takes them over.
same(
    "torch.Tensor.shape",
    "torch.Tensor.ndim",
    "torch.Tensor.dtype",
    "torch.Tensor.device",
    "torch.Tensor.grad",
    "torch.Tensor.T",
    "torch.Tensor.t",
    "torch.Tensor.item",
    "torch.Tensor.tolist",
    "torch.Tensor.numpy",
    "torch.Tensor.clone",
    "torch.Tensor.cpu",
    "torch.Tensor.cuda",
    "torch.Tensor.to",
    "torch.Tensor.contiguous",
    "torch.Tensor.expand_as",
    "torch.Tensor.exp",
    "torch.Tensor.log",
    "torch.Tensor.sqrt",
    "torch.Tensor.tanh",
    "torch.Tensor.abs",
)


@rule(torch.Tensor.size)
def size(self):
    return self.shape


@rule(torch.Tensor.size)
def size(self, dim):  # noqa: F811
    return self.shape[dim]


@rule(torch.Tensor.numel, torch.Tensor.nelement)
def numel(self):
    return self.size


@rule(torch.Tensor.requires_grad)
def requires_grad(self):
    return not self.stop_gradient


@rule("torch.Tensor.requires_grad=")
def set_requires_grad(self, value):
    self.stop_gradient = not value


@rule(torch.Tensor.requires_grad_)
def requires_grad_(self, requires_grad=True):
    self.stop_gradient = not requires_grad
    return self
