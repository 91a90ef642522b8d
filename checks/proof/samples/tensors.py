"""Tensors: sizes, dtypes, devices, and ways out of the graph."""

import torch


def sizes(a0: "float32[2,3]"):
    return a0.size(), a0.size(1), a0.size(-1), a0.shape, a0.shape[0]


def counts(a0: "float32[2,3]"):
    return a0.dim(), a0.ndim, a0.numel(), a0.nelement()


def sizes_unpacked(a0: "float32[2,3]"):
    rows, columns = a0.size()
    return rows * columns


def detached(a0: "float32[2,3]"):
    return a0.detach()


def to_dtype(a0: "float32[2,3]"):
    return a0.to(torch.float64)


def to_dtype_named(a0: "float32[2,3]"):
    return a0.to(dtype=torch.int64)


def to_device(a0: "float32[2,3]"):
    return a0.to("cpu")


def to_device_and_dtype(a0: "float32[2,3]"):
    return a0.to("cpu", torch.float64)


def to_both_named(a0: "float32[2,3]"):
    return a0.to(device="cpu", dtype=torch.float64, non_blocking=True)


def to_other(a0: "float32[2,3]", a1: "int64[2]<5"):
    return a0.to(a1)


def to_cpu(a0: "float32[2,3]"):
    return a0.cpu()


def listed(a0: "float32[2,3]"):
    return a0.tolist()


def listed_integers(a0: "int64[4]<9"):
    return a0.tolist()


def as_numpy(a0_: "float32[2,3]"):
    return a0_.numpy()


def from_numpy(a0_: "float32[2,3]"):
    return torch.from_numpy(a0_.numpy())


def wants_gradient(a0: "float32[2,3]", a1_: "float32[2,3]"):
    return a0.requires_grad, a1_.requires_grad, a0.detach().requires_grad


def gradient(a0: "float32[2,3]"):
    loss = a0.sum()
    loss.backward()
    return a0.grad


def no_gradient_yet(a0: "float32[2,3]"):
    return a0.grad is None


def dtype_is(a0: "float32[2,3]", a1: "int64[2]<5"):
    return a0.dtype == torch.float32, a1.dtype == torch.int64, a0.dtype == a1.dtype


def on_the_same_device(a0: "float32[2,3]"):
    return torch.zeros(2, 3, device=a0.device)


def on_a_device():
    return torch.ones(2, 3, device=torch.device("cpu"))


def without_graph(a0: "float32[2,3]"):
    with torch.no_grad():
        doubled = a0 * 2
    return doubled.requires_grad


def written_under_no_grad(a0_: "float32[2,3]"):
    with torch.no_grad():
        a0_.mul_(3)
        a0_.add_(1)
    return a0_


def viewed(a0: "float32[2,6]"):
    return a0.view(3, 4), a0.view(-1), a0.view((4, 3)), a0.view(a0.size(0), -1, 2)


def transposed_twice(a0: "float32[2,3,4]"):
    return a0.transpose(1, 2).contiguous().view(2, 12)


def largest(a0: "float32[3,5]"):
    values, indices = a0.topk(2)
    return values, indices


def largest_along(a0: "float32[3,5]"):
    return a0.topk(2, dim=0, largest=False)


def flipped(a0: "float32[3,5]"):
    return torch.flip(a0, [1]), torch.flip(a0, dims=(0,))


def made_a_leaf(a0_: "float32[2,3]"):
    a0_.requires_grad_()
    (a0_ * a0_).sum().backward()
    return a0_.grad


def raw(a0: "float32[2,3]"):
    return a0.data, a0.data.requires_grad
