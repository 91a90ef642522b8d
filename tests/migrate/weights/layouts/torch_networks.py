"""The networks that are written again by hand in each target's idiom: see the other files here.

A network's forward takes what ``inputs`` draws for it and returns {name: output}. Run as a script in torch's
interpreter, with the path of torch's describe.py and a folder, it writes for each network NAME.pt, NAME.npz
(inputs "in.x", outputs "out.y") and NAME.json (the layout file).
"""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn


class Convolutions(nn.Module):
    """Grouped, strided, dilated; channels that are equal, so that only the class tells the axes apart."""

    def __init__(self):
        super().__init__()
        self.one = nn.Conv1d(4, 4, 4, groups=2)
        self.two = nn.Conv2d(4, 4, 4, stride=2, padding=1, groups=2)
        self.three = nn.Conv3d(2, 3, (2, 3, 2), bias=False)
        self.dilated = nn.Conv2d(3, 5, (3, 2), dilation=2)
        self.depthwise = nn.Conv2d(4, 4, 3, groups=4)

    def forward(self, x1, x2, x3, rgb):
        two = self.two(x2)
        return {
            "one": self.one(x1),
            "two": two,
            "three": self.three(x3),
            "dilated": self.dilated(rgb),
            "depthwise": self.depthwise(two),
        }


class Transposed(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.ConvTranspose1d(3, 4, 4)
        self.two = nn.ConvTranspose2d(4, 4, 4, stride=2)
        self.three = nn.ConvTranspose3d(3, 2, (2, 3, 2), bias=False)

    def forward(self, x1, x2, x3):
        return {"one": self.one(x1), "two": self.two(x2), "three": self.three(x3)}


class GroupedTransposed(nn.Module):
    def __init__(self):
        super().__init__()
        self.two = nn.ConvTranspose2d(4, 6, 3, stride=2, groups=2)

    def forward(self, x2):
        return {"two": self.two(x2)}


class Block(nn.Module):
    """A square Linear, and weights of its own beside it."""

    def __init__(self):
        super().__init__()
        self.square = nn.Linear(6, 6)
        self.scale = nn.Parameter(torch.rand(6))
        self.register_buffer("shift", torch.randn(6))
        self.offset = nn.Parameter(torch.randn(6))

    def forward(self, x):
        return self.square(x) * self.scale + self.offset - self.shift


class Dense(nn.Module):
    """Nested containers; attributes before and after "layers" in the alphabet."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(6, 6)
        self.stack = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 6, bias=False))
        self.blocks = nn.ModuleList([Block(), Block()])
        self.norm = nn.LayerNorm(6, eps=1e-3)
        self.mix = nn.Parameter(torch.randn(6, 6))
        self.zoom = nn.Linear(6, 5)

    def forward(self, ids):
        x = self.stack(self.embed(ids))
        for block in self.blocks:
            x = block(x)
        x = self.norm(x) @ self.mix
        return {"features": x, "zoom": self.zoom(x)}


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.BatchNorm1d(4)
        self.two = nn.BatchNorm2d(4, eps=1e-3)
        self.three = nn.BatchNorm3d(4)
        self.plain = nn.BatchNorm2d(4, affine=False)
        self.group = nn.GroupNorm(2, 4)
        self.layer = nn.LayerNorm((4, 3))

    def forward(self, x1, x2, x3, x):
        return {
            "one": self.one(x1),
            "two": self.two(x2),
            "three": self.three(x3),
            "plain": self.plain(x2),
            "group": self.group(x2),
            "layer": self.layer(x),
        }


class Recurrent(nn.Module):
    """Hidden size and features are equal: every weight of a gate is square."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 5, batch_first=True)
        self.rnn = nn.RNN(5, 5, batch_first=True)

    def forward(self, x):
        return {"lstm": self.lstm(x)[0], "rnn": self.rnn(x)[0]}


class Unbiased(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 4, batch_first=True, bias=False)
        self.gru = nn.GRU(5, 4, batch_first=True, bias=False)

    def forward(self, x):
        return {"lstm": self.lstm(x)[0], "gru": self.gru(x)[0]}


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(5, 5, num_layers=2, batch_first=True)

    def forward(self, x):
        return {"gru": self.gru(x)[0]}


class Muted(Gated):
    """b_hn, which stands alone in a GRU, is zero."""


class Both(nn.Module):
    """Several layers, in both directions."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 4, num_layers=2, batch_first=True, bidirectional=True)

    def forward(self, x):
        return {"lstm": self.lstm(x)[0]}


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.own = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return {"own": self.own(x, x, x, need_weights=False)[0]}


class Cross(nn.Module):
    """Keys and values of other widths."""

    def __init__(self):
        super().__init__()
        self.cross = nn.MultiheadAttention(8, 2, kdim=6, vdim=6, batch_first=True)

    def forward(self, x, memory):
        return {"cross": self.cross(x, memory, memory, need_weights=False)[0]}


def normal(*shape):
    return lambda dice: dice.normal(size=shape).astype(np.float32)


def below(limit, *shape):
    return lambda dice: dice.integers(limit, size=shape)


INPUTS = {
    Convolutions: {
        "x1": normal(2, 4, 9),
        "x2": normal(2, 4, 12, 12),
        "x3": normal(2, 2, 5, 5, 5),
        "rgb": normal(2, 3, 9, 9),
    },
    Transposed: {"x1": normal(2, 3, 6), "x2": normal(2, 4, 5, 5), "x3": normal(2, 3, 4, 4, 4)},
    GroupedTransposed: {"x2": normal(2, 4, 5, 5)},
    Dense: {"ids": below(6, 2, 7)},
    Norms: {"x1": normal(3, 4), "x2": normal(2, 4, 5, 5), "x3": normal(2, 4, 3, 3, 3), "x": normal(2, 4, 3)},
    Recurrent: {"x": normal(2, 6, 5)},
    Unbiased: {"x": normal(2, 6, 5)},
    Gated: {"x": normal(2, 6, 5)},
    Muted: {"x": normal(2, 6, 5)},
    Both: {"x": normal(2, 6, 5)},
    Attention: {"x": normal(2, 6, 8)},
    Cross: {"x": normal(2, 6, 8), "memory": normal(2, 5, 6)},
}


def seeded(network):
    """With biases and statistics moved away from the zeros and ones that they start as."""
    model = network()
    dice = np.random.default_rng(1)
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if value.is_floating_point() and (value.ndim < 2 or name.startswith("layer")):
                low, high = (0.5, 2) if name.endswith(("var", "weight", "scale")) else (-1, 1)
                value.copy_(torch.from_numpy(dice.uniform(low, high, tuple(value.shape)).astype(np.float32)))
        for name, value in model.state_dict().items():
            if network is Muted and "bias_hh" in name:
                value[10:] = 0
    return model.eval()


def main(describe, folder):
    spec = importlib.util.spec_from_file_location("describe", describe)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch.manual_seed(0)
    for network, drawn in INPUTS.items():
        name = network.__name__.lower()
        model = seeded(network)
        dice = np.random.default_rng(0)
        inputs = {key: draw(dice) for key, draw in drawn.items()}
        with torch.no_grad():
            outputs = model.double()(
                **{
                    k: torch.from_numpy(v).double() if v.dtype.kind == "f" else torch.from_numpy(v)
                    for k, v in inputs.items()
                }
            )
        torch.save(model.float().state_dict(), folder / f"{name}.pt")
        np.savez(
            folder / f"{name}.npz",
            **{f"in.{key}": array for key, array in inputs.items()},
            **{f"out.{key}": value.numpy() for key, value in outputs.items()},
        )
        described = {"layout": 1, "model": f"torch_networks:{network.__name__}", "note": "", **module.describe(model)}
        (folder / f"{name}.json").write_text(json.dumps(described))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
