"""torch.nn.modules: containers."""

import torch

from rewriters.rule import rule, same


@rule(torch.nn.Sequential.append)
def append(self, module):
    self.add_module(str(len(self)), module)
    return self


@rule(torch.nn.Sequential.extend)
def extend(self, sequential):
    for module in sequential:
        self.add_module(str(len(self)), module)
    return self


@rule(torch.nn.Sequential.insert)
def insert(self, index, module):
    layers = list(self)
    layers.insert(index, module)
    for number, layer in enumerate(layers):
        setattr(self, str(number), layer)
    return self


@rule(torch.nn.ModuleList.pop)
def pop(self, key):
    layer = self[key]
    del self[key]
    return layer


same(
    "torch.nn.ModuleList",
    "torch.nn.ModuleDict",
    "torch.nn.ParameterList",
    "torch.nn.ParameterDict",
)
