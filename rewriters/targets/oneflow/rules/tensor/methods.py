"""Methods and properties of Tensor."""

import numpy
import oneflow
import torch

from rewriters.rule import alias, becomes, differs, family, rule, same

becomes(torch.Tensor.is_pinned, oneflow.Tensor.is_pinned, device=None)
becomes(torch.detach, oneflow.Tensor.detach)
becomes(torch.Tensor.pin_memory, oneflow.Tensor.pin_memory, device=None)

alias(torch.Tensor, "oneflow.Tensor")


same(
    "torch.Tensor.shape", "torch.Tensor.ndim", "torch.Tensor.dim", "torch.Tensor.numel",
    "torch.Tensor.nelement", "torch.Tensor.dtype", "torch.Tensor.device", "torch.Tensor.grad", "torch.Tensor.data",
    "torch.Tensor.requires_grad", "torch.Tensor.requires_grad_", "torch.Tensor.t", "torch.Tensor.item",
    "torch.Tensor.tolist", "torch.Tensor.detach", "torch.Tensor.clone", "torch.Tensor.cpu",
    "torch.Tensor.contiguous", "torch.Tensor.exp", "torch.Tensor.log", "torch.Tensor.sqrt", "torch.Tensor.tanh",
    "torch.Tensor.abs", "torch.Tensor.unsqueeze", "torch.Tensor.eq", "torch.Tensor.add_",
    "torch.Tensor.is_cuda", "torch.Tensor.is_leaf", "torch.Tensor.grad_fn", "torch.Tensor.element_size",
    "torch.Tensor.storage_offset", "torch.Tensor.is_contiguous", "torch.Tensor.retain_grad",
    "torch.Tensor.register_hook",
)  # fmt: skip


@rule(torch.Tensor.size)
def size(self, dim=None):
    if dim is None:
        return self.size()
    return self.size(dim)


@rule(torch.Tensor.numpy)
def numpy_array(self, *, force=False):
    if force:
        return self.detach().numpy()
    return self.numpy()


@rule("torch.Tensor.stride:computed")
def stride_of_computed(self, dim=None):
    differs("what is computed lies in memory as OneFlow has it; count by .shape where it matters")
    return self.stride() if dim is None else self.stride()[dim]


@rule("torch.Tensor.is_contiguous:computed")
def is_contiguous_of_computed(self):
    differs("what is computed lies in memory as OneFlow has it; call .contiguous() where it matters")
    return self.is_contiguous()


@rule(torch.Tensor.stride)
def stride(self, dim=None):
    if dim is None:
        return self.stride()
    return self.stride()[dim]


@rule(torch.Tensor.backward)
def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    if inputs is not None:
        raise NotImplementedError("OneFlow's backward has no inputs; use oneflow.autograd.grad")
    if gradient is None and retain_graph is None and not create_graph:
        return self.backward()
    return self.backward(gradient, retain_graph=bool(retain_graph), create_graph=create_graph)


@rule(torch.Tensor.cuda)
def cuda(self):
    return self.cuda()


@rule(torch.Tensor.cuda)
def cuda(self, device=None, non_blocking=False, memory_format=None):
    return self.cuda(device)


@rule(torch.Tensor.to)
def to(self, other, *, non_blocking=False, copy=False, memory_format=None):
    return self.to(other).clone() if copy else self.to(other)


@rule(torch.Tensor.to)
def to(self, other, non_blocking: bool, copy=False, *, memory_format=None):
    return self.to(other).clone() if copy else self.to(other)


@rule(torch.Tensor.to)
def to(self, device, dtype: oneflow.dtype, non_blocking=False, copy=False, *, memory_format=None):
    return self.to(device, dtype).clone() if copy else self.to(device, dtype)


@rule(torch.Tensor.to)
def to(self, device, dtype: None, non_blocking=False, copy=False, *, memory_format=None):
    return self.to(device, dtype).clone() if copy else self.to(device, dtype)


@rule(torch.Tensor.to)
def to(self, device, *, dtype, non_blocking=False, copy=False, memory_format=None):
    return self.to(device, dtype).clone() if copy else self.to(device, dtype)


@family("device dtype")
@rule(torch.Tensor.to)
def to(self, *, device, non_blocking=False, copy=False, memory_format=None):
    return self.to(device=device).clone() if copy else self.to(device=device)


@rule(torch.Tensor.to)
def to(self, *, device, dtype, non_blocking=False, copy=False, memory_format=None):
    return self.to(device=device, dtype=dtype).clone() if copy else self.to(device=device, dtype=dtype)


@rule(torch.Tensor.to)
def to(self, *, memory_format=None, non_blocking=False, copy=False):
    # images whose channels come last are copied; what is transposed otherwise torch gives as it is
    return self.clone() if copy else self.contiguous()


@rule(torch.Tensor.topk)
def topk(self, k):
    # without dim OneFlow's method raises, torch takes the last
    return self.topk(k, dim=-1)


@rule(torch.Tensor.topk)
def topk(self, k, dim):
    return self.topk(k, dim)


@rule(torch.Tensor.topk)
def topk(self, k, dim=-1, largest=True, sorted=True):
    return self.topk(k, dim, largest, sorted)


@rule(torch.Tensor.copy_)
def copy_(self, src, non_blocking=False):
    # OneFlow's own returns None and cuts the gradient off
    self[...] = src
    return self


@rule(torch.Tensor.detach_, torch.detach_)
def detach_(self):
    self.requires_grad_(False)
    return self


@rule(torch.Tensor.is_cpu)
def is_cpu(self):
    return not self.is_cuda


class HookOnTensor:
    """Takes the hook away again: OneFlow's own gives no handle. Of a leaf it is called twice with each gradient."""

    def __init__(self, hook, twice):
        self.hook, self.twice, self.answered = hook, twice, None

    def __call__(self, grad):
        before, self.answered = self.answered, None
        if before is not None and before[0] is grad:
            return before[1]
        found = self.hook(grad) if self.hook is not None else None
        self.answered = (grad, found) if self.twice else None
        return found

    def remove(self):
        self.hook = None


@rule("torch.Tensor.register_hook:kept")
def register_hook(self, hook):
    handle = HookOnTensor(hook, self.is_leaf)
    self.register_hook(handle)
    return handle


@rule(torch.Tensor.get_device, torch.get_device)
def get_device(input):
    return input.get_device() if input.is_cuda else -1


@rule(torch.Tensor.retains_grad)
def retains_grad(self):
    return not self.is_leaf and self.grad is not None


@rule(torch.Tensor.apply_)
def apply_(self, callable):
    self[...] = oneflow.tensor(numpy.vectorize(callable)(self.numpy()), device=self.device).to(self.dtype)
    return self


@rule(
    torch.Tensor.is_sparse, torch.Tensor.is_quantized, torch.Tensor.is_meta, torch.Tensor.is_mkldnn,
    torch.Tensor.is_mps, torch.Tensor.is_nested, torch.Tensor.is_sparse_csr, torch.Tensor.is_vulkan,
    torch.Tensor.is_xla, torch.Tensor.is_xpu, torch.Tensor.is_ipu, torch.Tensor.is_maia, torch.Tensor.is_mtia,
)  # fmt: skip
def is_another(self):
    return False


# No attribute there; others than tensors may have one of that name.
@rule("torch.Tensor.is_sparse:any")
def is_sparse_at_all(self):
    return False if isinstance(self, oneflow.Tensor) else self.is_sparse


@rule("torch.Tensor.real:any")
def real_of(self):
    return self if isinstance(self, oneflow.Tensor) else self.real


same("torch.Size.numel")


alias(torch.contiguous_format, "None")
alias(torch.preserve_format, "None")
alias(torch.legacy_contiguous_format, "None")
alias(torch.newaxis, "None")


@rule("torch.Tensor.data=:part")
def store_part(self, value):
    differs(
        "in torch they share memory; OneFlow reads views of such a tensor from the wrong place, so it is a copy: "
        "write to both"
    )
    self.data = value.clone()


@rule("torch.Tensor.__getitem__:truth")
def picked_by_truth(self):
    return self.clone()  # of which x[True] is a view, in torch a copy


@rule("torch.Tensor.__getitem__:truth unknown")
def picked_by_any(self, index):
    """By what may be a truth value without axes, of which x[True] is a view and torch gives a copy."""
    truth = isinstance(index, oneflow.Tensor) and index.ndim == 0 and index.dtype == oneflow.bool
    return (self.clone() if truth or isinstance(index, bool) else self)[index]


@rule("torch.Tensor.__getitem__:laid")
def picked_in_one_piece(self, index):
    return self[index].contiguous()  # OneFlow's lies transposed


@rule("torch.Tensor.__getitem__:whole")
def whole_view(self):
    return self.unsqueeze(0).squeeze(0)  # of which x[:] is a view; of x it is the very tensor


@rule("torch.Tensor.t:whole")
def transposed_vector(self):
    return self.unsqueeze(0).squeeze(0)


@rule("torch.Tensor.data=:view")
def store_in_view(self, value):
    differs(
        "in torch it is no view any more; in OneFlow it stays one, and changes what it is part of: name a new tensor"
    )
    self.data = value


@rule("torch.Tensor.data=:kept")
def store_data(self, value):
    grad = self.grad  # which OneFlow takes away
    self.data = value
    if grad is not None:  # stored to a tensor of which nothing was computed, None has autograd.grad fail
        self.grad = grad


@rule("torch.Tensor.data=:unknown")
def store_data_of_any(owner, value):
    if isinstance(owner, oneflow.Tensor):
        store_data(owner, value)
    else:
        owner.data = value


@rule("torch.Tensor.detach:part", "torch.detach:part", "torch.Tensor.data:part")
def detached_part(self):
    # OneFlow's detach() and .data forget where a part begins: views of them would be read from the wrong place
    with oneflow.no_grad():
        return self.unsqueeze(0).squeeze(0)


@rule("torch.Tensor.data:part_unknown")
def data_of(x):
    if isinstance(x, oneflow.Tensor):
        with oneflow.no_grad():
            return x.unsqueeze(0).squeeze(0)  # .data forgets where a part begins
    return x.data


@rule("torch.Tensor:shared", "torch.FloatTensor:shared")
def tensor_on(data: oneflow.Tensor):
    return data[...]  # the same memory, whatever the dtype


@rule("torch.Tensor:shared", "torch.FloatTensor:shared")
def tensor_on(data):
    shared = isinstance(data, numpy.ndarray) and data.dtype == numpy.float32 and data.flags.writeable
    return oneflow.from_numpy(data) if shared else oneflow.Tensor(data)


@rule(
    "torch.Tensor.numpy:late",
    "torch.from_numpy:late",
    "torch.as_tensor:late",
    "torch.Tensor:late",
    "torch.FloatTensor:late",
)
def wait_for_tensors():
    oneflow._oneflow_internal.eager.Sync()  # arrays lie in their memory, and OneFlow computes beside Python


# A misspelled requires_grad, which many projects have: torch takes any attribute, OneFlow's tensors do not.
@rule("torch.Tensor.require_grad=")
def require_grad(self, value):
    pass


@rule("torch.Tensor:in_array", "torch.Tensor:in_slice")
def in_array(self, array):
    # OneFlow's own way to numpy takes no dtype, which numpy asks for
    if array.dtype == object:
        return self
    return self.numpy().reshape([]) if self.numel() == 1 else self.numpy()
