"""Methods and properties of Tensor."""

import torch

from rewriters.rule import alias, refuse, rule, same

alias(torch.Tensor, "oneflow.Tensor")

# Proved by tests/rewriters/test_rules_run.py until the generated table takes them over.
same(
    "torch.Tensor.shape", "torch.Tensor.ndim", "torch.Tensor.dim", "torch.Tensor.size", "torch.Tensor.numel",
    "torch.Tensor.nelement", "torch.Tensor.dtype", "torch.Tensor.device", "torch.Tensor.grad", "torch.Tensor.data",
    "torch.Tensor.requires_grad", "torch.Tensor.requires_grad_", "torch.Tensor.t",
    "torch.Tensor.item",
    "torch.Tensor.tolist", "torch.Tensor.numpy", "torch.Tensor.detach", "torch.Tensor.clone", "torch.Tensor.cpu",
    "torch.Tensor.cuda", "torch.Tensor.contiguous", "torch.Tensor.backward", "torch.Tensor.masked_fill",
    
    "torch.Tensor.exp", "torch.Tensor.log",
    "torch.Tensor.sqrt", "torch.Tensor.tanh", "torch.Tensor.abs", 
    
    "torch.Tensor.unsqueeze", 
    "torch.Tensor.eq",
    "torch.Tensor.add_", "torch.Tensor.mean",
)  # fmt: skip

refuse(torch.Tensor.lu, "OneFlow 0.9 has no LU factorization; compute it with numpy or scipy on x.numpy()")


@rule(torch.Tensor.to)
def to(self, other, *, non_blocking=False):
    return self.to(other)


@rule(torch.Tensor.to)
def to(self, device, dtype, *, non_blocking=False):  # noqa: F811
    return self.to(device, dtype)


@rule(torch.Tensor.to)
def to(self, *, device, non_blocking=False):  # noqa: F811
    return self.to(device=device)


@rule(torch.Tensor.to)
def to(self, *, dtype, non_blocking=False):  # noqa: F811
    return self.to(dtype=dtype)


@rule(torch.Tensor.to)
def to(self, *, device, dtype, non_blocking=False):  # noqa: F811
    return self.to(device=device, dtype=dtype)


@rule(torch.Tensor.topk)
def topk(self, k):
    # without dim OneFlow's method raises, torch takes the last
    return self.topk(k, dim=-1)


@rule(torch.Tensor.topk)
def topk(self, k, dim):  # noqa: F811
    return self.topk(k, dim)


@rule(torch.Tensor.topk)
def topk(self, k, dim, largest):  # noqa: F811
    return self.topk(k, dim, largest)


@rule(torch.Tensor.topk)
def topk(self, k, dim, largest, sorted):  # noqa: F811
    return self.topk(k, dim, largest, sorted)
