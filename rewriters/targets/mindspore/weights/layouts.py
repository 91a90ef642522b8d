"""How MindSpore (mindspore.nn) stores what torch's modules own, measured with MindSpore 2.10.

A torch.nn.Sequential is an nn.SequentialCell and a ModuleList an nn.CellList; a convolution is made with
has_bias=True, pad_mode="pad".
"""

from __future__ import annotations

from rewriters.weights.layout import Layout, dropped, renamed
from rewriters.weights.recipe import Module, NoLayout, Recipe, take

COUNTER = {"num_batches_tracked": dropped("only counts batches; used when momentum is None")}
AFFINE = {"weight": renamed("gamma"), "bias": renamed("beta")}


def batch_norm(place: str = "") -> dict[str, Layout]:
    """place: of the module that has the parameters."""
    names = {"weight": "gamma", "bias": "beta", "running_mean": "moving_mean", "running_var": "moving_variance"}
    return {old: renamed(place + new) for old, new in names.items()} | COUNTER


def conv1d(module: Module) -> dict[str, Recipe]:
    """Its weight has a second axis of space, of size 1."""
    outer, inner, size = module.shapes["weight"]
    found = {"weight": take("weight", shape=(outer, inner, 1, size))}
    return found | ({"bias": take("bias")} if "bias" in module.shapes else {})


def instance_norm(module: Module) -> dict[str, Recipe]:
    if "running_mean" in module.shapes:
        raise NoLayout(
            "MindSpore's InstanceNorm is not carried with running statistics", "leave out track_running_stats"
        )
    return {new: take(old) for old, new in (("weight", "gamma"), ("bias", "beta")) if old in module.shapes}


LAYOUTS = {
    "torch.nn.Linear": {},
    "torch.nn.Bilinear": {},
    "torch.nn.Embedding": {"weight": renamed("embedding_table")},
    "torch.nn.Conv1d": conv1d,
    "torch.nn.Conv2d": {},
    "torch.nn.Conv3d": {},
    "torch.nn.ConvTranspose1d": conv1d,
    "torch.nn.ConvTranspose2d": {},
    "torch.nn.ConvTranspose3d": {},
    "torch.nn.BatchNorm1d": batch_norm(),
    "torch.nn.BatchNorm2d": batch_norm(),
    "torch.nn.BatchNorm3d": batch_norm("bn2d."),
    "torch.nn.LayerNorm": AFFINE,
    "torch.nn.GroupNorm": AFFINE,
    **{f"torch.nn.{name}": {} for name in ("LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell")},
    "torch.nn.MultiheadAttention": {},
}
