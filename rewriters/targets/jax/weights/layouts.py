"""How Flax NNX stores what torch's modules own, measured with Flax 0.12.

A torch.nn.Sequential is an nnx.Sequential, whose children are in ``layers``. A ConvTranspose is made with
transpose_kernel=True. Recurrent layers and attention are the helper module's, whose parameters are torch's: the cells
of NNX have one bias where torch trains two.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewriters.rules.layouts import Modules, dotted
from rewriters.weights.layout import Layout, dropped, flattened, permuted, renamed

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


LAYOUTS = {
    "torch.nn.Linear": {"weight": permuted(1, 0, name="kernel")},
    **{f"torch.nn.Conv{n}d": {"weight": permuted(*axes, name="kernel")} for n, axes in KERNEL.items()},
    **{f"torch.nn.ConvTranspose{n}d": {"weight": permuted(*axes, name="kernel")} for n, axes in KERNEL.items()},
    **{f"torch.nn.BatchNorm{n}d": BATCH_NORM for n in KERNEL},
    **{f"torch.nn.InstanceNorm{n}d": BATCH_NORM for n in KERNEL},
    **{f"torch.nn.{name}": {"weight": FLAT_SCALE, "bias": flattened} for name in ("LayerNorm", "RMSNorm")},
    "torch.nn.GroupNorm": {"weight": renamed("scale")},
    "torch.nn.Embedding": {"weight": renamed("embedding")},
    "torch.nn.PReLU": {"weight": renamed("negative_slope")},
}
