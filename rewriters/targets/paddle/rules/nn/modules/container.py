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
    """Takes tensors as well, and what is none as it is; has the methods of a dict."""

    def __init__(self, parameters=None):
        super().__init__()
        self._names = {}  # in their order
        self.update(parameters or {})

    def update(self, parameters):
        # torch sorts those of a plain dict
        ordered = not isinstance(parameters, dict) or isinstance(parameters, collections.OrderedDict)
        pairs = parameters.items() if hasattr(parameters, "items") else parameters
        for name, value in pairs if ordered else sorted(pairs):
            self[name] = value

    def __setitem__(self, name, value):
        self._names[name] = None
        if isinstance(value, paddle.Tensor):
            super().__setitem__(name, as_parameter(value))
        else:
            setattr(self, name, value)

    def __getitem__(self, name):
        if name not in self._names:
            raise KeyError(name)
        return getattr(self, name)

    def __len__(self):
        return len(self._names)

    def __iter__(self):
        return iter(self._names)

    def __contains__(self, name):
        return name in self._names

    def __delitem__(self, name):
        del self._names[name]
        delattr(self, name)

    def keys(self):
        return self._names.keys()

    def values(self):
        return [self[name] for name in self._names]

    def items(self):
        return [(name, self[name]) for name in self._names]

    def get(self, name, default=None):
        return self[name] if name in self._names else default

    def pop(self, name):
        value = self[name]
        del self[name]
        return value

    def clear(self):
        for name in list(self._names):
            del self[name]


same(
    "torch.nn.ParameterDict.clear",
    "torch.nn.ParameterDict.get",
)
