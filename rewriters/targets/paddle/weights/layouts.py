"""How Paddle stores what torch's modules own, where that takes more than a word in a constructor's rule."""

from __future__ import annotations

from rewriters.weights.recipe import Module, Recipe, part, take
from rewriters.weights.recurrent import layers


def recurrent(module: Module) -> dict[str, Recipe]:
    """Torch's names and order; the state_dict has each again as its cell's, and a strict load wants both."""
    found = {name: take(name) for name in module.shapes}
    for layer in layers(module):
        cell = f"{layer.index}.cell"
        if module.config["bidirectional"]:
            cell += "_bw" if layer.reverse else "_fw"
        for name in (*layer.weights, *(layer.biases if layer.biased else ())):
            found[f"{cell}.{name.removesuffix(layer.suffix)}"] = take(name)
    return found


def attention(module: Module) -> dict[str, Recipe]:
    """paddle.compat.nn.MultiheadAttention: torch's names, but a bias for each of query, key, value of unlike widths."""
    found = {name: take(name) for name in module.shapes}
    if "q_proj_weight" in found and "in_proj_bias" in found:
        del found["in_proj_bias"]
        found |= {f"{which}_proj_bias": part("in_proj_bias", index, 3) for index, which in enumerate("qkv")}
    return found


LAYOUTS = {
    **{f"torch.nn.{name}": recurrent for name in ("LSTM", "GRU", "RNN")},
    "torch.nn.MultiheadAttention": attention,
}
