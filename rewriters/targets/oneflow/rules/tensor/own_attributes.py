"""Attributes that a program gives its tensors."""

import oneflow

from rewriters.rule import rule


class OwnAttribute:
    """An attribute of single tensors, which are kept with it: OneFlow's cannot be referred to weakly."""

    def __init__(self, name):
        self.name, self.held = name, {}

    def __get__(self, tensor, owner=None):
        if tensor is None:
            return self
        if id(tensor) not in self.held:
            raise AttributeError(f"'{type(tensor).__name__}' object has no attribute '{self.name}'")
        return self.held[id(tensor)][1]

    def __set__(self, tensor, value):
        self.held[id(tensor)] = tensor, value

    def __delete__(self, tensor):
        if self.held.pop(id(tensor), None) is None:
            raise AttributeError(self.name)


@rule("torch.Tensor:attribute=")
def give_attribute(self, value, name):
    if isinstance(self, oneflow.Tensor) and not hasattr(oneflow.Tensor, name):
        setattr(oneflow.Tensor, name, OwnAttribute(name))
    setattr(self, name, value)


@rule("torch.Tensor:setattr:asked")
def give_named_attribute(self, name, value):
    give_attribute(self, value, name)
