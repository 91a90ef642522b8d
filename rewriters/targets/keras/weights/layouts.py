"""How Keras 3 stores what torch's modules own, measured with Keras 3.15.

A ``.weights.h5`` addresses a layer by the attributes that lead to it, "encoder/conv1", and its variables by number, in
the order in which the layer makes them: "encoder/conv1/vars/0". Layers in a list, and those of a Sequential (in
``layers``), are addressed by their class: "blocks/dense_1" is the second Dense in ``blocks``. A class of the project's
own is taken to have the same name in Keras; its own weights are numbered as torch registers them, parameters first.

Recurrent modules are a Keras layer, in a Bidirectional for both directions; a list of these for several layers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rewriters.rules.layouts import Modules
from rewriters.weights.layout import Layout, dropped
from rewriters.weights.recipe import Block, Module, Recipe, summed, take
from rewriters.weights.recurrent import Layer, by_heads, cell, layers

KERNEL = {1: (2, 1, 0), 2: (2, 3, 1, 0), 3: (2, 3, 4, 1, 0)}
"""Dimensions of a convolution -> the axes of torch's weight, of a transposed one too."""

CLASSES = {
    "Linear": "Dense",
    "Embedding": "Embedding",
    **{f"Conv{n}d": f"Conv{n}D" for n in KERNEL},
    **{f"ConvTranspose{n}d": f"Conv{n}DTranspose" for n in KERNEL},
    **{f"BatchNorm{n}d": "BatchNormalization" for n in KERNEL},
    "LayerNorm": "LayerNormalization",
    "GroupNorm": "GroupNormalization",
    "RMSNorm": "RMSNormalization",
    "RNN": "SimpleRNN",
    "RNNCell": "SimpleRNNCell",
    "MultiheadAttention": "MultiHeadAttention",
}
"""A torch module -> the Keras layer of another name."""
LISTS = {"torch.nn.ModuleList", "torch.nn.ModuleDict"}
SEQUENTIAL = "torch.nn.Sequential"


def prefixes(modules: Modules) -> Mapping[str, str]:
    """Of each module's variables: the path of its layer."""
    found: dict[str, str] = {}
    seen: dict[str, Counter[str]] = {}
    for path, module in modules.items():
        above, _, name = path.rpartition(".")
        if not path:
            found[path] = ""
            continue
        container = set(modules[above].classes) & {*LISTS, SEQUENTIAL} if above in modules else set()
        if container:
            name = _snake_case(_class_name(module))
            count = seen.setdefault(above, Counter())
            count[name] += 1
            name += f"_{count[name] - 1}" if count[name] > 1 else ""
            name = f"layers/{name}" if SEQUENTIAL in container else name
        found[path] = f"{found.get(above, '')}{name}/"
    return found


def _class_name(module: Module) -> str:
    """Of the Keras layer."""
    public = [cls for cls in module.classes if not cls.startswith("torch.") or cls.count(".") == 2]
    if public[0] in LISTS:
        return "container"  # what Keras calls a list in a list
    if module.config.get("bidirectional"):
        return "Bidirectional"
    name = public[0].rpartition(".")[2]
    return CLASSES.get(name, name) if public[0].startswith("torch.") else name


def _snake_case(name: str) -> str:
    """As Keras makes names of classes."""
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", re.sub(r"\W+", "", name))
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def numbered(module: Module) -> dict[str, Recipe | Layout]:
    """The weights that there are, in torch's order, which is that of a layer in Keras too."""
    found: dict[str, Recipe | Layout] = {}
    for name in module.shapes:
        if name == "num_batches_tracked":
            found[name] = dropped("only counts batches; used when momentum is None")
        elif "." not in name:
            found[f"vars/{len(found)}"] = take(name)
    return found


def kernel_first(*axes: int) -> Any:
    """The layout of a layer with a kernel, torch's weight with its axes permuted, and perhaps a bias."""

    def of_module(module: Module) -> dict[str, Recipe | Layout]:
        return numbered(module) | {"vars/0": take("weight", *axes)}

    return of_module


def conv_transpose(module: Module) -> dict[str, Recipe | Layout]:
    module.need("groups", 1, "Keras's transposed convolutions have no groups", "write the torch model with one a group")
    return numbered(module) | {"vars/0": take("weight", *KERNEL[len(module.shapes["weight"]) - 2])}


def lstm(layer: Layer) -> dict[str, Recipe]:
    """A SimpleRNN's too."""
    input_weight, hidden_weight = layer.weights
    found = {"vars/0": take(input_weight, 1, 0), "vars/1": take(hidden_weight, 1, 0)}
    return found | ({"vars/2": summed(*layer.biases)} if layer.biased else {})


def gru(layer: Layer) -> dict[str, Recipe]:
    """Keras has the update gate first, torch the reset gate; reset_after=True keeps both biases."""

    def swapped(name: str) -> tuple[tuple[Block, ...], ...]:
        return tuple((Block(name, gate, 3),) for gate in (1, 0, 2))

    input_weight, hidden_weight = layer.weights
    found = {"vars/0": Recipe(swapped(input_weight), (1, 0)), "vars/1": Recipe(swapped(hidden_weight), (1, 0))}
    if layer.biased:
        ours, theirs = layer.biases
        found["vars/2"] = Recipe((*swapped(ours), *swapped(theirs)), shape=(2, -1))
    return found


def recurrent(of_layer: Any, keras_class: str) -> Any:
    """The layout of a module whose layers are laid out by that function."""

    def of_module(module: Module) -> dict[str, Recipe]:
        both = module.config["bidirectional"]
        found: dict[str, Recipe] = {}
        for layer in layers(module):
            place = ""
            if module.config["num_layers"] > 1:
                name = "bidirectional" if both else keras_class
                place = f"{name}_{layer.index}/" if layer.index else f"{name}/"
            if both:
                place += "backward_layer/" if layer.reverse else "forward_layer/"
            found |= {f"{place}cell/{name}": recipe for name, recipe in of_layer(layer).items()}
        return found

    return of_module


def attention(module: Module) -> dict[str, Recipe]:
    inputs = ("query_dense/", "key_dense/", "value_dense/")
    return by_heads(module, inputs, "output_dense/", "vars/0", "vars/1")


LAYOUTS = {
    "torch.nn.Module": numbered,  # for weights that the project's own classes have beside their layers
    "torch.nn.Linear": kernel_first(1, 0),
    **{f"torch.nn.Conv{n}d": kernel_first(*axes) for n, axes in KERNEL.items()},
    **{f"torch.nn.ConvTranspose{n}d": conv_transpose for n in KERNEL},
    **{f"torch.nn.BatchNorm{n}d": numbered for n in KERNEL},
    **{f"torch.nn.{name}": numbered for name in ("LayerNorm", "GroupNorm", "RMSNorm", "Embedding")},
    "torch.nn.LSTM": recurrent(lstm, "lstm"),
    "torch.nn.GRU": recurrent(gru, "gru"),
    "torch.nn.RNN": recurrent(lstm, "simple_rnn"),
    "torch.nn.LSTMCell": lambda module: lstm(cell(module)),
    "torch.nn.GRUCell": lambda module: gru(cell(module)),
    "torch.nn.RNNCell": lambda module: lstm(cell(module)),
    "torch.nn.MultiheadAttention": attention,
}
