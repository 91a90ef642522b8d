"""torch.nn.modules: containers."""

import framework
import torch

from rewriters.rule import rule, same

same(
    "torch.nn.Sequential",
    "torch.nn.ModuleList.append",
    "torch.nn.ModuleList.extend",
    "torch.nn.ModuleList.insert",
    "torch.nn.ModuleDict.keys",
    "torch.nn.ModuleDict.items",
    "torch.nn.ModuleDict.values",
    "torch.nn.ModuleDict.pop",
    "torch.nn.ModuleDict.update",
    "torch.nn.ModuleDict.clear",
    "torch.nn.ParameterList.append",
    "torch.nn.ParameterList.extend",
    "torch.nn.ParameterDict.keys",
    "torch.nn.ParameterDict.items",
    "torch.nn.ParameterDict.values",
    "torch.nn.ParameterDict.pop",
)


@rule("torch.nn.Sequential.__delitem__")
def delete_layers(self, index):
    """Take layers out of a Sequential, whose others are numbered anew, as in torch; an item out of anything else."""
    if not isinstance(self, framework.nn.Sequential):
        del self[index]
        return
    layers = list(self.named_children())
    names = [name for name, _ in layers]
    gone = index if isinstance(index, str) else names[index]
    for name in names:
        delattr(self, name)
    left = [layer for name, layer in layers if name != gone and not (isinstance(gone, list) and name in gone)]
    for number, layer in enumerate(left):
        setattr(self, str(number), layer)


@rule(torch.nn.Sequential.pop)
def pop_layer(self, key):
    layer = self[key]
    delete_layers(self, key)
    return layer
