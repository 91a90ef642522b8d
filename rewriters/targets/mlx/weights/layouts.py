"""How MLX stores what torch's modules own, measured with MLX 0.32.

A torch.nn.Sequential is an mlx.nn.Sequential, whose children are in ``layers``. A recurrent module of several layers is
a list of MLX's, each of which has one layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rewriters.rules.layouts import Modules, dotted
from rewriters.weights.layout import dropped, flattened, permuted
from rewriters.weights.recipe import Block, Module, NoLayout, Recipe, part, summed, take
from rewriters.weights.recurrent import Layer, layers, projections

KERNEL = {1: (0, 2, 1), 2: (0, 2, 3, 1), 3: (0, 2, 3, 4, 1)}
"""Dimensions of a convolution -> the axes of torch's weight: output's channels, space, input's channels."""
TRANSPOSED = {1: (1, 2, 0), 2: (1, 2, 3, 0), 3: (1, 2, 3, 4, 0)}

FLAT = {"weight": flattened, "bias": flattened}
"""MLX normalises the last axis, which several of torch's are made one for."""
COUNTER = {"num_batches_tracked": dropped("only counts batches; used when momentum is None")}


def prefixes(modules: Modules) -> Mapping[str, str]:
    """Of each module's parameters: the path of attributes, dotted."""
    return dotted(modules, {"torch.nn.Sequential": "layers"})


def conv_transpose(module: Module) -> dict[str, Recipe]:
    module.need("groups", 1, "MLX's ConvTranspose has no groups", "write the torch model with one module a group")
    found = {"weight": take("weight", *TRANSPOSED[len(module.shapes["weight"]) - 2])}
    return found | ({"bias": take("bias")} if "bias" in module.shapes else {})


def instance_norm(module: Module) -> dict[str, Recipe]:
    if "running_mean" in module.shapes:
        raise NoLayout("MLX's InstanceNorm keeps no running statistics", "leave out track_running_stats in torch")
    return {name: take(name) for name in module.shapes}


def lstm(layer: Layer) -> dict[str, Recipe]:
    input_weight, hidden_weight = layer.weights
    found = {"Wx": take(input_weight), "Wh": take(hidden_weight)}
    return found | ({"bias": summed(*layer.biases)} if layer.biased else {})


def rnn(layer: Layer) -> dict[str, Recipe]:
    input_weight, hidden_weight = layer.weights
    found = {"Wxh": take(input_weight), "Whh": take(hidden_weight)}
    return found | ({"bias": summed(*layer.biases)} if layer.biased else {})


def gru(layer: Layer) -> dict[str, Recipe]:
    """The gates' biases are summed, but for the new gate's: bias_hh is added before the reset gate multiplies."""
    input_weight, hidden_weight = layer.weights
    found = {"Wx": take(input_weight), "Wh": take(hidden_weight)}
    if layer.biased:
        ours, theirs = layer.biases
        rows = tuple((Block(ours, gate, 3), Block(theirs, gate, 3)) for gate in (0, 1))
        found |= {"b": Recipe((*rows, (Block(ours, 2, 3),))), "bhn": part(theirs, 2, 3)}
    return found


def recurrent(of_layer: Any) -> Any:
    """The layout of a module whose layers are laid out by that function."""

    def of_module(module: Module) -> dict[str, Recipe]:
        found: dict[str, Recipe] = {}
        for layer in layers(module, directions=1):
            place = f"{layer.index}." if module.config["num_layers"] > 1 else ""
            found |= {place + name: recipe for name, recipe in of_layer(layer).items()}
        return found

    return of_module


def attention(module: Module) -> dict[str, Recipe]:
    found = projections(module)
    recipes = {}
    for name, block in zip(("query", "key", "value"), found.weights, strict=True):
        recipes[f"{name}_proj.weight"] = part(block.source, block.index, block.count)
    for name, block in zip(("query", "key", "value"), found.biases, strict=False):
        recipes[f"{name}_proj.bias"] = part(block.source, block.index, block.count)
    return recipes | {
        f"out_proj.{name}": take(f"out_proj.{name}")
        for name in ("weight", "bias")
        if f"out_proj.{name}" in module.shapes
    }


LAYOUTS = {
    "torch.nn.Linear": {},
    "torch.nn.Bilinear": {"weight": permuted(0, 2, 1)},
    "torch.nn.Embedding": {},
    **{f"torch.nn.Conv{n}d": {"weight": permuted(*axes)} for n, axes in KERNEL.items()},
    **{f"torch.nn.ConvTranspose{n}d": conv_transpose for n in KERNEL},
    **{f"torch.nn.BatchNorm{n}d": COUNTER for n in KERNEL},
    **{f"torch.nn.InstanceNorm{n}d": instance_norm for n in KERNEL},
    **{f"torch.nn.{name}": FLAT for name in ("LayerNorm", "RMSNorm")},
    **{f"torch.nn.{name}": {} for name in ("GroupNorm", "PReLU")},
    "torch.nn.LSTM": recurrent(lstm),
    "torch.nn.GRU": recurrent(gru),
    "torch.nn.RNN": recurrent(rnn),
    "torch.nn.MultiheadAttention": attention,
}
