"""The networks as they are written in OneFlow, which are torch's."""

import oneflow
from oneflow import nn
from run import main


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv1d(4, 4, 4, groups=2)
        self.two = nn.Conv2d(4, 4, 4, stride=2, padding=1, groups=2)
        self.three = nn.Conv3d(2, 3, (2, 3, 2), bias=False)
        self.dilated = nn.Conv2d(3, 5, (3, 2), dilation=2)
        self.depthwise = nn.Conv2d(4, 4, 3, groups=4)

    def forward(self, x1, x2, x3, rgb):
        two = self.two(x2)
        found = {"one": self.one(x1), "two": two, "three": self.three(x3)}
        return {**found, "dilated": self.dilated(rgb), "depthwise": self.depthwise(two)}


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
    def __init__(self):
        super().__init__()
        self.square = nn.Linear(6, 6)
        self.scale, self.offset = nn.Parameter(oneflow.zeros(6)), nn.Parameter(oneflow.zeros(6))
        self.register_buffer("shift", oneflow.zeros(6))

    def forward(self, x):
        return self.square(x) * self.scale + self.offset - self.shift


class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(6, 6)
        self.stack = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 6, bias=False))
        self.blocks = nn.ModuleList([Block(), Block()])
        self.norm = nn.LayerNorm(6, eps=1e-3)
        self.mix = nn.Parameter(oneflow.zeros(6, 6))
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
        found = {"one": self.one(x1), "two": self.two(x2), "three": self.three(x3)}
        return {**found, "plain": self.plain(x2), "group": self.group(x2), "layer": self.layer(x)}


class Recurrent(nn.Module):
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


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 4, num_layers=2, batch_first=True, bidirectional=True)

    def forward(self, x):
        return {"lstm": self.lstm(x)[0]}


def make(cls, path, inputs):
    model = cls()
    model.load_state_dict(oneflow.load(path), strict=True)
    model.eval()
    return lambda **inputs: {
        name: y.numpy() for name, y in model(**{n: oneflow.tensor(x) for n, x in inputs.items()}).items()
    }


if __name__ == "__main__":
    main([Convolutions, Transposed, GroupedTransposed, Dense, Norms, Recurrent, Unbiased, Gated, Both], make)
