"""``hasattr`` of what may be a tensor, under names that torch's tensors have and the target's lack, or the reverse."""

import framework

from rewriters.rule import rule


@rule("torch.Tensor:has")
def has_attribute(value, name):
    """Whether it has that name, which torch's tensors have."""
    return isinstance(value, framework.Tensor) or hasattr(value, name)


@rule("torch.Tensor:lacks")
def has_unlike_tensors(value, name):
    """Whether it has that name, which torch's tensors lack."""
    return not isinstance(value, framework.Tensor) and hasattr(value, name)


@rule("torch.Tensor:has_method")
def has_method(value, name):
    """Whether what it has under that name, which is a method of torch's tensors, can be called."""
    return isinstance(value, framework.Tensor) or callable(getattr(value, name))
