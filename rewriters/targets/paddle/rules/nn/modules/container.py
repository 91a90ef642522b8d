"""Parameters and containers of layers and parameters."""

import collections

import paddle
import torch

from rewriters.rule import family, rule, same

same(
    "torch.nn.Sequential.append",
    "torch.nn.Sequential.extend",
    "torch.nn.Sequential.insert",
    "torch.nn.ModuleList.pop",
    "torch.nn.ParameterDict.update",
)


@family("ModuleList ModuleDict", "LayerList LayerDict")
@rule(torch.nn.ModuleList)
def ModuleList(modules=None):
    return paddle.nn.LayerList(modules)


# Chosen by passes/places_in_sequences.py.
@rule("torch.nn.Sequential.__getitem__:part")
def part_of_layers(self, index):
    """A part of a Sequential, whose layers keep their names; an item of anything else."""
    if not isinstance(self, paddle.nn.Sequential):
        return self[index]
    return type(self)(collections.OrderedDict(list(self.named_children())[index]))


@rule("torch.nn.Sequential.__setitem__:placed")
def put_layer(self, index, value):
    """Put a layer in the place of another, under its name; an item into anything else."""
    if isinstance(self, paddle.nn.Sequential) and not isinstance(index, str):
        setattr(self, [name for name, _ in self.named_children()][index], value)
    else:
        self[index] = value


def as_parameter(value):
    return value if value is None or isinstance(value, paddle.nn.Parameter) else paddle.nn.Parameter(value)


@rule(torch.nn.ParameterList)
class ParameterList(paddle.nn.ParameterList):
    """Takes tensors as well, and several at once."""

    def __init__(self, values=None):
        super().__init__()
        self.extend(values or [])

    def append(self, value):
        super().append(as_parameter(value))
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self


@rule(torch.nn.ParameterDict)
class ParameterDict(paddle.nn.ParameterDict):
    """Takes tensors as well, and has the methods of a dict."""

    def __init__(self, parameters=None):
        super().__init__()
        for name, value in dict(parameters or {}).items():
            self[name] = value

    def __setitem__(self, name, value):
        super().__setitem__(name, as_parameter(value))

    def __contains__(self, name):
        return name in self._parameters

    def __delitem__(self, name):
        del self._parameters[name]

    def keys(self):
        return self._parameters.keys()

    def values(self):
        return self._parameters.values()

    def items(self):
        return self._parameters.items()

    def get(self, name, default=None):
        return self._parameters.get(name, default)

    def pop(self, name):
        return self._parameters.pop(name)

    def clear(self):
        self._parameters.clear()


same(
    "torch.nn.ParameterDict.clear",
    "torch.nn.ParameterDict.get",
)
