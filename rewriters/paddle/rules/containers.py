"""Parameters and containers of layers and parameters."""

import paddle
import torch

from rewriters.rule import alias, refuse, rule, same

same("torch.nn.Sequential")
same(
    "torch.nn.Sequential.append",
    "torch.nn.Sequential.extend",
    "torch.nn.Sequential.insert",
    "torch.nn.ModuleList.append",
    "torch.nn.ModuleList.extend",
    "torch.nn.ModuleList.insert",
    "torch.nn.ModuleList.pop",
    "torch.nn.ModuleDict.clear",
    "torch.nn.ModuleDict.items",
    "torch.nn.ModuleDict.keys",
    "torch.nn.ModuleDict.pop",
    "torch.nn.ModuleDict.update",
    "torch.nn.ModuleDict.values",
    "torch.nn.ParameterList.append",
    "torch.nn.ParameterDict.update",
)


@rule(torch.nn.ModuleList)
def ModuleList(modules=None):
    return paddle.nn.LayerList(modules)


@rule(torch.nn.ModuleDict)
def ModuleDict(modules=None):
    return paddle.nn.LayerDict(modules)


@rule("torch.nn.Sequential.pop")
def pop_layer(self, key):
    layer = self[key]
    del self[key]
    return layer


@rule(torch.nn.Parameter)
def Parameter(data=None, requires_grad=True):
    return paddle.nn.Parameter(data, requires_grad=requires_grad)


alias(torch.nn.Parameter, "paddle.nn.Parameter")


def as_parameter(value):
    return value if isinstance(value, paddle.nn.Parameter) else paddle.nn.Parameter(value)


@rule(torch.nn.ParameterList)
def ParameterList():
    return paddle.nn.ParameterList()


@rule(torch.nn.ParameterList)
def ParameterList(values=None):  # noqa: F811
    return paddle.nn.ParameterList(None if values is None else [as_parameter(value) for value in values])


@rule(torch.nn.ParameterList.extend)
def extend_parameters(self, values):
    for value in values:
        self.append(as_parameter(value))
    return self


@rule(torch.nn.ParameterDict)
def ParameterDict():
    return paddle.nn.ParameterDict()


@rule(torch.nn.ParameterDict)
def ParameterDict(parameters=None):  # noqa: F811
    return paddle.nn.ParameterDict(
        None if parameters is None else {name: as_parameter(value) for name, value in parameters.items()}
    )


@rule(torch.nn.ParameterDict.keys)
def parameter_names(self):
    return self._parameters.keys()


@rule(torch.nn.ParameterDict.values)
def parameter_values(self):
    return self._parameters.values()


@rule(torch.nn.ParameterDict.items)
def parameter_items(self):
    return self._parameters.items()


@rule(torch.nn.ParameterDict.get)
def get_parameter(self, key, default=None):
    return self._parameters.get(key, default)


@rule(torch.nn.ParameterDict.pop)
def pop_parameter(self, key):
    return self._parameters.pop(key)


@rule(torch.nn.ParameterDict.clear)
def clear_parameters(self):
    return self._parameters.clear()


refuse(torch.nn.ParameterDict.copy, "Paddle's ParameterDict has no copy; build a new one of its items")
refuse(torch.nn.ParameterDict.fromkeys, "Paddle's ParameterDict has no fromkeys; build one of a dict")
refuse(torch.nn.ParameterDict.popitem, "Paddle's ParameterDict has no popitem; name the item")
refuse(torch.nn.ParameterDict.setdefault, "Paddle's ParameterDict has no setdefault; test for the name and assign")
refuse(torch.nn.Buffer, "Paddle has no class for buffers; use self.register_buffer(name, tensor)")
refuse(torch.nn.UninitializedParameter, "Paddle's parameters have a shape from the start; give the sizes")
refuse(torch.nn.UninitializedBuffer, "Paddle's buffers have a shape from the start; give the sizes")
refuse(torch.nn.parameter.UninitializedTensorMixin, "Paddle's tensors have a shape from the start; give the sizes")
refuse(torch.nn.parameter.is_lazy, "Paddle's parameters have a shape from the start; the answer is False")
refuse(torch.nn.modules.batchnorm.LazyModuleMixin, "Paddle has no lazy layers; give the sizes")
refuse(torch.nn.Container, "long deprecated; derive from Layer")
refuse(torch.nn.LazyBatchNorm1d, "Paddle has no lazy layers; give the number of input channels and use BatchNorm1d")
refuse(torch.nn.LazyBatchNorm2d, "Paddle has no lazy layers; give the number of input channels and use BatchNorm2d")
refuse(torch.nn.LazyBatchNorm3d, "Paddle has no lazy layers; give the number of input channels and use BatchNorm3d")
refuse(torch.nn.LazyConv1d, "Paddle has no lazy layers; give the number of input channels and use Conv1d")
refuse(torch.nn.LazyConv2d, "Paddle has no lazy layers; give the number of input channels and use Conv2d")
refuse(torch.nn.LazyConv3d, "Paddle has no lazy layers; give the number of input channels and use Conv3d")
refuse(
    torch.nn.LazyConvTranspose1d, "Paddle has no lazy layers; give the number of input channels and use ConvTranspose1d"
)
refuse(
    torch.nn.LazyConvTranspose2d, "Paddle has no lazy layers; give the number of input channels and use ConvTranspose2d"
)
refuse(
    torch.nn.LazyConvTranspose3d, "Paddle has no lazy layers; give the number of input channels and use ConvTranspose3d"
)
refuse(
    torch.nn.LazyInstanceNorm1d, "Paddle has no lazy layers; give the number of input channels and use InstanceNorm1d"
)
refuse(
    torch.nn.LazyInstanceNorm2d, "Paddle has no lazy layers; give the number of input channels and use InstanceNorm2d"
)
refuse(
    torch.nn.LazyInstanceNorm3d, "Paddle has no lazy layers; give the number of input channels and use InstanceNorm3d"
)
refuse(torch.nn.LazyLinear, "Paddle has no lazy layers; give in_features and use Linear")
