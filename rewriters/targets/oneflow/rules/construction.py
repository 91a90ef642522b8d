"""Tensors of data that hold other dtypes than Python's: numbers of numpy's, tensors."""

import oneflow
import torch

from rewriters.rule import Foreign, rule
from rewriters.shared.rules.construction import leaves, name_of_dtype, plain, widest


@rule(torch.tensor)
def tensor_of_several(data: Foreign, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    # OneFlow takes these for Python's numbers, torch counts with their dtypes
    if dtype is None:
        dtype = getattr(oneflow, widest([name_of_dtype(leaf) for leaf in leaves(data)]))
    return oneflow.tensor(plain(data), dtype=dtype, device=device, requires_grad=requires_grad)


@rule("torch.tensor:scalar")
def tensor_of_scalar(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    # OneFlow takes numpy's number for Python's, torch counts with its dtype
    if not getattr(data, "ndim", 1):
        data, dtype = data.item(), dtype or getattr(oneflow, name_of_dtype(data))
    return oneflow.tensor(data, dtype=dtype, device=device, requires_grad=requires_grad)


@rule(torch.tensor)
def tensor_of_several(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    return oneflow.tensor(data, dtype=dtype, device=device, requires_grad=requires_grad)
