"""torch.nn.modules: linear layers."""

import math

import paddle
import torch

from rewriters.rule import alias, differs, family, flattened, rule, same_layout, transposed


@rule(torch.nn.Identity)
def Identity(*args, **kwargs):
    return paddle.nn.Identity()


@rule(torch.nn.Linear, layout={"weight": transposed, "weight_v": transposed, "weight_g": flattened})
def Linear(in_features, out_features, bias=True, device=None, dtype=None):
    if dtype is not None:
        return paddle.nn.Linear(in_features, out_features, bias_attr=None if bias else False).to(dtype=dtype)
    return paddle.nn.Linear(in_features, out_features, bias_attr=None if bias else False)


@rule("torch.nn.Linear:looked", layout={"weight": same_layout})
def looked_linear(in_features, out_features, bias=True, device=None, dtype=None):
    # keeps torch's (out, in) weight, which the project's code looks at, or an Embedding's takes its place
    return paddle.compat.nn.Linear(in_features, out_features, bias=bias, dtype=dtype)


alias("torch.nn.Linear:handed", "paddle.compat.nn.Linear")


@rule("torch.nn.Linear:base", layout={"weight": same_layout})
def derived_linear(in_features, out_features, bias=True, device=None, dtype=None):
    # a class derived from it hands on torch's arguments and reads torch's weight
    return paddle.compat.nn.Linear(in_features, out_features, bias=bias, dtype=dtype)


@family("in out", "0 1")
@rule("torch.nn.Linear.in_features")
def in_features(self):
    return self.weight.shape[0]


@rule("torch.nn.Linear.weight:foreign")
def foreign_weight(self):
    differs("a Linear that Paddle's own layers make keeps its weight (in, out); transpose what is looked at here")
    return self.weight


@family("in out")
@rule("torch.nn.Linear.in_features:looked")
def looked_in_features(self):
    return self.in_features


@family("in out", "0 1")
@rule("torch.nn.Linear.in_features:either")
def either_in_features(self):
    return self.weight.shape[0] if isinstance(self, paddle.nn.Linear) else self.in_features


@rule(torch.nn.Bilinear)
class Bilinear(paddle.nn.Bilinear):
    """Takes any leading axes, where Paddle's takes matrices alone; its bias has one axis."""

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__(in1_features, in2_features, out_features, bias_attr=False)
        if bias:
            self.bias = self.create_parameter([out_features], is_bias=True)
        if dtype is not None:
            self.to(dtype=dtype)

    def forward(self, input1, input2):
        rows = [x.reshape([math.prod(x.shape[:-1]), x.shape[-1]]) for x in (input1, input2)]
        bias = None if self.bias is None else self.bias.unsqueeze(0)
        found = paddle.nn.functional.bilinear(*rows, self.weight, bias)
        return found.reshape([*input1.shape[:-1], self._out_features])


def uniform_within(bound, *parameters):
    for parameter in parameters:
        if parameter is not None:
            paddle.nn.init.uniform_(parameter, -bound, bound)


@rule(
    torch.nn.Linear.reset_parameters,
    torch.nn.Bilinear.reset_parameters,
    torch.nn.Embedding.reset_parameters,
    torch.nn.LayerNorm.reset_parameters,
    torch.nn.GroupNorm.reset_parameters,
    torch.nn.modules.conv._ConvNd.reset_parameters,
    torch.nn.RNNBase.reset_parameters,
    torch.nn.BatchNorm1d.reset_parameters,
    torch.nn.BatchNorm2d.reset_parameters,
    torch.nn.BatchNorm3d.reset_parameters,
)
def reset_parameters(self):
    reset_as_torch(self)


def reset_as_torch(layer):
    """As torch's layer of that kind starts; of ``super()`` too."""
    nn, given = paddle.nn, layer
    layer = getattr(layer, "__self__", layer)
    if given is layer and hasattr(layer, "reset_parameters"):
        layer.reset_parameters()
    elif isinstance(layer, (nn.Linear, paddle.compat.nn.Linear)):
        bound = 1 / math.sqrt(layer.weight.shape[0 if isinstance(layer, nn.Linear) else 1])
        uniform_within(bound, layer.weight, layer.bias)
    elif isinstance(layer, nn.layer.conv._ConvNd):
        uniform_within(1 / math.sqrt(math.prod(layer.weight.shape[1:])), layer.weight, layer.bias)
    elif isinstance(layer, nn.Bilinear):
        uniform_within(1 / math.sqrt(layer.weight.shape[1]), layer.weight, layer.bias)
    elif isinstance(layer, nn.layer.rnn.RNNBase):
        uniform_within(1 / math.sqrt(layer.hidden_size), *layer.parameters())
    elif isinstance(layer, nn.Embedding):
        paddle.nn.init.normal_(layer.weight)
        if layer._padding_idx not in (None, -1):
            with paddle.no_grad():
                layer.weight[layer._padding_idx] = 0.0
    else:
        norm_as_torch(layer)


def norm_as_torch(layer):
    weight = getattr(layer, "scale", None) if not hasattr(layer, "weight") else layer.weight
    if weight is not None:
        paddle.nn.init.ones_(weight)
    if layer.bias is not None:
        paddle.nn.init.zeros_(layer.bias)
    if isinstance(layer, paddle.nn.layer.norm._BatchNormBase):
        paddle.nn.init.zeros_(layer._mean)
        paddle.nn.init.ones_(layer._variance)
