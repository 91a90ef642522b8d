"""How Flax NNX stores what torch's modules own, measured with Flax 0.12.

A torch.nn.Sequential is an nnx.Sequential, whose children are in ``layers``. A ConvTranspose is made with
transpose_kernel=True. Recurrent layers and attention are the helper module's, whose parameters are torch's: the cells
of NNX have one bias where torch trains two.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewriters.rules.layouts import Modules, dotted
from rewriters.weights.layout import Layout, dropped, flattened, permuted, renamed
from rewriters.weights.recipe import Module, Recipe, take

KERNEL = {1: (2, 1, 0), 2: (2, 3, 1, 0), 3: (2, 3, 4, 1, 0)}
"""Dimensions of a convolution -> the axes of torch's weight, of a transposed one too."""

FLAT_SCALE = Layout(name="scale", shape=(-1,))
"""NNX has one axis of features, which several of torch's are made one for."""

NORM = {"weight": "scale", "bias": "bias", "running_mean": "mean", "running_var": "var"}
COUNT = "num_batches_tracked"


def norm(module: Module) -> dict[str, Recipe | Layout]:
    """The count of batches goes along where the running statistics are means over all of them."""
    found: dict[str, Recipe | Layout] = {new: take(old) for old, new in NORM.items() if old in module.shapes}
    if COUNT in module.shapes and module.config.get("momentum", 0.1) is None:
        return {**found, "batches": take(COUNT)}
    return {**found, COUNT: dropped("only counts batches; used when momentum is None")}


def prefixes(modules: Modules) -> Mapping[str, str]:
    """Of each module's parameters: the path of attributes, dotted."""
    return dotted(modules, {"torch.nn.Sequential": "layers"})


PRODUCTS = {
    "torch.nn.Linear": {"weight": permuted(1, 0, name="kernel")},
    **{f"torch.nn.Conv{n}d": {"weight": permuted(*axes, name="kernel")} for n, axes in KERNEL.items()},
    **{f"torch.nn.ConvTranspose{n}d": {"weight": permuted(*axes, name="kernel")} for n, axes in KERNEL.items()},
}

LAYOUTS = {
    **PRODUCTS,
    **{f"{name}:autocast": words for name, words in PRODUCTS.items()},  # which passes/autocast.py chooses
    **{f"torch.nn.{name}Norm{n}d": norm for name in ("Batch", "Instance") for n in KERNEL},
    **{f"torch.nn.{name}": {"weight": FLAT_SCALE, "bias": flattened} for name in ("LayerNorm", "RMSNorm")},
    "torch.nn.GroupNorm": {"weight": renamed("scale")},
    "torch.nn.Embedding": {"weight": renamed("embedding")},
    "torch.nn.PReLU": {"weight": renamed("negative_slope")},
}
