"""``reset_parameters`` of torch's layers, which Paddle's have not."""

import math

import paddle
import torch

from rewriters.rule import rule


def uniform_within(bound, *parameters):
    for parameter in parameters:
        if parameter is not None:
            paddle.nn.init.uniform_(parameter, -bound, bound)


def is_resettable(layer):
    """Whether torch's layer of that kind has the method."""
    nn = paddle.nn
    kinds = (nn.Linear, nn.Embedding, nn.layer.conv._ConvNd, nn.layer.rnn.RNNBase, nn.LayerNorm, nn.GroupNorm)
    return isinstance(layer, (*kinds, nn.layer.norm._BatchNormBase, nn.layer.norm._InstanceNormBase, nn.Bilinear))


@rule(
    torch.nn.Linear.reset_parameters,
    torch.nn.Bilinear.reset_parameters,
    torch.nn.Embedding.reset_parameters,
    torch.nn.LayerNorm.reset_parameters,
    torch.nn.GroupNorm.reset_parameters,
    torch.nn.modules.conv._ConvNd.reset_parameters,
    torch.nn.RNNBase.reset_parameters,
    "torch.nn.BatchNorm1d.reset_parameters",
    "torch.nn.BatchNorm2d.reset_parameters",
    "torch.nn.BatchNorm3d.reset_parameters",
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


@rule("torch.nn.Module.reset_parameters:asked")
def has_reset_parameters(layer, name):
    return hasattr(layer, name) or is_resettable(layer)
