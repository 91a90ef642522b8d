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


same(
    "torch.nn.ModuleList",
    "torch.nn.ModuleDict",
    "torch.nn.ParameterList",
    "torch.nn.ParameterDict",
)
