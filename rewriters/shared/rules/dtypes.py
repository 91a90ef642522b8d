"""torch: dtypes."""

import framework
import torch

from rewriters.rule import alias, becomes, rule

becomes(torch.is_tensor, framework.is_tensor)

alias(torch.dtype, "framework.dtype")
alias(torch.Size, "framework.Size")
alias(torch.bool, "framework.bool")
alias(torch.uint8, "framework.uint8")
alias(torch.int8, "framework.int8")
alias(torch.int32, "framework.int32")
alias(torch.int64, "framework.int64")
alias(torch.float16, "framework.float16")
alias(torch.bfloat16, "framework.bfloat16")
alias(torch.float32, "framework.float32")
alias(torch.float64, "framework.float64")


@rule(torch.is_nonzero, torch.Tensor.is_nonzero)
def is_nonzero(input):
    return bool(input)


@rule(torch.is_same_size, torch.Tensor.is_same_size)
def is_same_size(input, other):
    return input.shape == other.shape


# What Python's types stand for, whatever the default dtype is.
OF_TYPES = {bool: framework.bool, int: framework.int64, float: framework.float64}


@rule("torch.dtype:of a type")
def dtype_of(kind):
    """The dtype that is meant by one of Python's types; all else as it is."""
    return OF_TYPES.get(kind, kind) if isinstance(kind, type) else kind


@rule("torch.dtype:of types in keywords")
def with_dtypes(keywords):
    return {name: dtype_of(value) if name.endswith("dtype") else value for name, value in keywords.items()}
