"""Tensors of data that hold other dtypes than Python's: numbers of numpy's, tensors."""

import oneflow
import torch

from rewriters.rule import Foreign, rule

CATEGORIES = ("bool", "int", "float", "complex")


def leaves(data):
    """The numbers in nested sequences."""
    if isinstance(data, (list, tuple)):
        return [leaf for part in data for leaf in leaves(part)]
    return [data]


def name_of_dtype(leaf):
    if hasattr(leaf, "dtype"):
        return str(leaf.dtype).rpartition(".")[2]
    default = str(oneflow.get_default_dtype()).rpartition(".")[2]
    return "bool" if isinstance(leaf, bool) else "int64" if isinstance(leaf, int) else default


def category_of(name):
    """The place among bool, integers, floats and complex numbers."""
    return max(number for number, kind in enumerate(CATEGORIES) if kind in name)


def widest(names):
    """The name of the dtype that holds all these: of the highest category the one with the most bits."""
    highest = max(map(category_of, names))
    of_it = [name for name in names if category_of(name) == highest]
    return max(of_it, key=lambda name: int("".join(filter(str.isdigit, name)) or 0))


def plain(data):
    """Python's numbers in lists."""
    if isinstance(data, (list, tuple)):
        return [plain(part) for part in data]
    return data.tolist() if hasattr(data, "tolist") else data


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
