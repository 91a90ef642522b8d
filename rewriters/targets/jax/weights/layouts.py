"""How Flax NNX stores what torch's modules own, measured with Flax 0.12.

A torch.nn.Sequential is an nnx.Sequential, whose children are in ``layers``. Recurrent modules are an nnx.RNN of an
OptimizedLSTMCell, a GRUCell or a SimpleCell; an nnx.Bidirectional of two for both directions; an nnx.List of them for
several layers. A ConvTranspose is made with transpose_kernel=True.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rewriters.rules.layouts import Modules, dotted
from rewriters.weights.layout import Layout, dropped, flattened, permuted, renamed
from rewriters.weights.recipe import Block, Module, NoLayout, Recipe, summed, take
from rewriters.weights.recurrent import Layer, by_heads, cell, layers

KERNEL = {1: (2, 1, 0), 2: (2, 3, 1, 0), 3: (2, 3, 4, 1, 0)}
"""Dimensions of a convolution -> the axes of torch's weight, of a transposed one too."""

FLAT_SCALE = Layout(name="scale", shape=(-1,))
"""NNX has one axis of features, which several of torch's are made one for."""

BATCH_NORM = {
    "weight": renamed("scale"),
    "running_mean": renamed("mean"),
    "running_var": renamed("var"),
    "num_batches_tracked": dropped("only counts batches; used when momentum is None"),
}


def prefixes(modules: Modules) -> Mapping[str, str]:
    """Of each module's parameters: the path of attributes, dotted."""
    return dotted(modules, {"torch.nn.Sequential": "layers"})


def conv_transpose(module: Module) -> dict[str, Recipe]:
    module.need("groups", 1, "nnx.ConvTranspose has no groups", "write the torch model with one module a group")
    found = {"kernel": take("weight", *KERNEL[len(module.shapes["weight"]) - 2])}
    return found | ({"bias": take("bias")} if "bias" in module.shapes else {})


def instance_norm(module: Module) -> dict[str, Recipe]:
    if "running_mean" in module.shapes:
        raise NoLayout(
            "nnx.InstanceNorm keeps no running statistics", "leave out track_running_stats in the torch model"
        )
    return {new: take(old) for old, new in (("weight", "scale"), ("bias", "bias")) if old in module.shapes}


def prelu(module: Module) -> dict[str, Recipe]:
    if module.shapes["weight"] != (1,):
        raise NoLayout("nnx.PReLU has one slope for all channels", "give torch.nn.PReLU one parameter")
    return {"negative_slope": take("weight", shape=())}


def lstm_cell(layer: Layer) -> dict[str, Recipe]:
    input_weight, hidden_weight = layer.weights
    found = {"dense_i.kernel": take(input_weight, 1, 0), "dense_h.kernel": take(hidden_weight, 1, 0)}
    return found | ({"dense_h.bias": summed(*layer.biases)} if layer.biased else {})


def simple_cell(layer: Layer) -> dict[str, Recipe]:
    input_weight, hidden_weight = layer.weights
    found = {"dense_i.kernel": take(input_weight, 1, 0), "dense_h.kernel": take(hidden_weight, 1, 0)}
    return found | ({"dense_i.bias": summed(*layer.biases)} if layer.biased else {})


def gru_cell(layer: Layer) -> dict[str, Recipe]:
    """Its bias is added before the reset gate multiplies: there is no place for bias_hh of the new gate."""
    input_weight, hidden_weight = layer.weights
    found = {"dense_i.kernel": take(input_weight, 1, 0), "dense_h.kernel": take(hidden_weight, 1, 0)}
    if layer.biased:
        ours, theirs = layer.biases
        rows = tuple((Block(ours, gate, 3), Block(theirs, gate, 3)) for gate in (0, 1))
        why = f"nnx.GRUCell has no place for the last third of {theirs} (torch's b_hn), which is not zero"
        mend = "write a cell with that bias in NNX, or train the torch model with it held at zero"
        found["dense_i.bias"] = Recipe((*rows, (Block(ours, 2, 3),)), zero=((Block(theirs, 2, 3), why, mend),))
    return found


def recurrent(of_layer: Any) -> Any:
    """The layout of a module whose layers are laid out by that function."""

    def of_module(module: Module) -> dict[str, Recipe]:
        found: dict[str, Recipe] = {}
        for layer in layers(module):
            place = f"{layer.index}." if module.config["num_layers"] > 1 else ""
            if module.config["bidirectional"]:
                place += "backward_rnn." if layer.reverse else "forward_rnn."
            found |= {f"{place}cell.{name}": recipe for name, recipe in of_layer(layer).items()}
        return found

    return of_module


def attention(module: Module) -> dict[str, Recipe]:
    return by_heads(module, ("query.", "key.", "value."), "out.", "kernel", "bias")


LAYOUTS = {
    "torch.nn.Linear": {"weight": permuted(1, 0, name="kernel")},
    **{f"torch.nn.Conv{n}d": {"weight": permuted(*axes, name="kernel")} for n, axes in KERNEL.items()},
    **{f"torch.nn.ConvTranspose{n}d": conv_transpose for n in KERNEL},
    **{f"torch.nn.BatchNorm{n}d": BATCH_NORM for n in KERNEL},
    **{f"torch.nn.InstanceNorm{n}d": instance_norm for n in KERNEL},
    **{f"torch.nn.{name}": {"weight": FLAT_SCALE, "bias": flattened} for name in ("LayerNorm", "RMSNorm")},
    "torch.nn.GroupNorm": {"weight": renamed("scale")},
    "torch.nn.Embedding": {"weight": renamed("embedding")},
    "torch.nn.PReLU": prelu,
    "torch.nn.LSTM": recurrent(lstm_cell),
    "torch.nn.GRU": recurrent(gru_cell),
    "torch.nn.RNN": recurrent(simple_cell),
    "torch.nn.LSTMCell": lambda module: lstm_cell(cell(module)),
    "torch.nn.GRUCell": lambda module: gru_cell(cell(module)),
    "torch.nn.RNNCell": lambda module: simple_cell(cell(module)),
    "torch.nn.MultiheadAttention": attention,
}
