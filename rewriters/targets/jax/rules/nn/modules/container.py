"""torch.nn.modules: containers."""

from collections import OrderedDict

import torch
from flax import nnx

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.nn.modules.module import TorchMethods
from rewriters.targets.jax.rules.nn.modules.stored import held_by, parts_of
from rewriters.targets.jax.rules.nn.parameter import variable_of

same(
    "torch.nn.ModuleList.append",
    "torch.nn.ModuleList.extend",
    "torch.nn.ModuleList.insert",
    "torch.nn.ModuleList.pop",
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
    "torch.nn.ParameterDict.update",
    "torch.nn.Sequential.append",
    "torch.nn.Sequential.extend",
    "torch.nn.Sequential.insert",
    "torch.nn.Sequential.pop",
)


@rule(torch.nn.Sequential)
class Sequential(TorchMethods, nnx.Sequential):
    """Its parts are reached as torch's are; each is given what the one before returned, a tuple as it is."""

    def __init__(self, *args):
        named = args[0] if len(args) == 1 and isinstance(args[0], dict) else None
        self.layers = nnx.List(args) if named is None else ModuleDict(named)

    def parts(self):
        return list(self.layers.values() if isinstance(self.layers, nnx.Dict) else self.layers)

    def __call__(self, input):
        for layer in self.parts():
            input = layer(input)
        return input

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Sequential(*self.parts()[index])
        return self.parts()[index]

    def __setitem__(self, index, module):
        if isinstance(self.layers, nnx.Dict):
            index = list(self.layers)[index]
        self.layers[index] = module

    def __delitem__(self, index):
        left = self.parts()
        del left[index]
        self.layers = nnx.List(left)  # torch numbers what is left, names too

    def pop(self, key):
        part = self[key]
        del self[key]
        return part

    def __add__(self, other):
        return Sequential(*self, *other)

    def __iadd__(self, other):
        return self.extend(other)

    def __len__(self):
        return len(self.layers)

    def __iter__(self):
        return iter(self.parts())

    def __getattr__(self, name):
        layers = vars(self).get("layers")
        if isinstance(layers, nnx.Dict) and name in layers:
            return layers[name]
        raise AttributeError(f"Sequential has no {name}")

    def __setattr__(self, name, value):
        if name == "layers" or not isinstance(value, nnx.Module):
            super().__setattr__(name, value)
            return
        # a part with a name is called after those that are there, as torch does
        if not isinstance(self.layers, nnx.Dict):
            self.layers = ModuleDict({str(place): layer for place, layer in enumerate(self.layers)})
        self.layers[name] = value

    def __delattr__(self, name):
        parts = dict(parts_of(self))
        if name not in parts:
            return super().__delattr__(name)
        del parts[name]
        self.layers = ModuleDict(parts)  # the others keep their names

    def append(self, module):
        if isinstance(self.layers, nnx.Dict):
            self.layers[str(len(self.layers))] = module
        else:
            self.layers.append(module)
        return self

    def extend(self, modules):
        self.layers.extend(modules)
        return self

    def insert(self, index, module):
        self.layers.insert(index, module)
        return self


@rule(torch.nn.ModuleList)
class ModuleList(TorchMethods, nnx.List):
    def __init__(self, modules=()):
        super().__init__(list(modules or ()))

    def __getitem__(self, index):
        return ModuleList(list(self)[index]) if isinstance(index, slice) else super().__getitem__(index)

    def __delitem__(self, index):
        left = list(self)
        del left[index]
        while len(self):  # NNX's own leaves the last one where it was
            super().__delitem__(len(self) - 1)
        self.extend(left)

    def __iadd__(self, modules):
        self.extend(modules)
        return self

    def __add__(self, modules):
        return ModuleList([*self, *modules])


MODE = "deterministic"  # what train() and eval() set is no item


class Ordered(TorchMethods, nnx.Dict):
    """Items in the order in which they were set."""

    def __iter__(self):
        return (name for name, _ in held_by(self) if not name.startswith("_pytree__") and name != MODE)


@rule(torch.nn.ModuleDict)
class ModuleDict(Ordered):
    def __init__(self, modules=()):
        super().__init__(dict(modules or {}))


@rule(torch.nn.ParameterList)
class ParameterList(TorchMethods, nnx.List):
    def __init__(self, values=()):
        super().__init__([parameter_of(value) for value in values or ()])


def parameter_of(value):
    """A parameter as it is, a new one of a tensor."""
    if not isinstance(value, nnx.Variable) and isinstance(variable_of(value), nnx.Variable):
        raise NotImplementedError(
            "a layer keeps this parameter in a layout of its own: keep the layer, in a ModuleList"
        )
    return value if isinstance(value, nnx.Variable) else nnx.Param(value)


@rule(torch.nn.ParameterDict)
class ParameterDict(Ordered):
    def __init__(self, parameters=()):
        super().__init__({})
        self.update(parameters or {})

    def update(self, parameters):
        """Of a dict by its sorted keys, as torch does."""
        items = dict(parameters).items()
        plain = isinstance(parameters, dict) and not isinstance(parameters, OrderedDict)
        for name, value in sorted(items) if plain else items:
            self[name] = None if value is None else parameter_of(value)
