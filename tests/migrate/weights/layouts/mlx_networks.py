"""The networks as they are written in MLX: channels last, sequences in (batch, time, features)."""

import mlx.core as mx
import mlx.nn as nn
from run import main


def last(x):
    """Channels from the second axis to the last."""
    return mx.moveaxis(mx.array(x), 1, -1)


def second(x):
    return mx.moveaxis(x, -1, 1)


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv1d(4, 4, 4, groups=2)
        self.two = nn.Conv2d(4, 4, 4, stride=2, padding=1, groups=2)
        self.three = nn.Conv3d(2, 3, (2, 3, 2), bias=False)
        self.dilated = nn.Conv2d(3, 5, (3, 2), dilation=2)
        self.depthwise = nn.Conv2d(4, 4, 3, groups=4)

    def __call__(self, x1, x2, x3, rgb):
        two = self.two(last(x2))
        found = {"one": self.one(last(x1)), "two": two, "three": self.three(last(x3))}
        found |= {"dilated": self.dilated(last(rgb)), "depthwise": self.depthwise(two)}
        return {name: second(y) for name, y in found.items()}


class Transposed(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.ConvTranspose1d(3, 4, 4)
        self.two = nn.ConvTranspose2d(4, 4, 4, stride=2)
        self.three = nn.ConvTranspose3d(3, 2, (2, 3, 2), bias=False)

    def __call__(self, x1, x2, x3):
        found = {"one": self.one(last(x1)), "two": self.two(last(x2)), "three": self.three(last(x3))}
        return {name: second(y) for name, y in found.items()}


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.square = nn.Linear(6, 6)
        self.scale, self.shift, self.offset = mx.zeros(6), mx.zeros(6), mx.zeros(6)
        self.freeze(keys=["shift"], recurse=False)

    def __call__(self, x):
        return self.square(x) * self.scale + self.offset - self.shift


class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(6, 6)
        self.stack = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 6, bias=False))
        self.blocks = [Block(), Block()]
        self.norm = nn.LayerNorm(6, eps=1e-3)
        self.mix = mx.zeros((6, 6))
        self.zoom = nn.Linear(6, 5)

    def __call__(self, ids):
        x = self.stack(self.embed(mx.array(ids)))
        for block in self.blocks:
            x = block(x)
        x = self.norm(x) @ self.mix
        return {"features": x, "zoom": self.zoom(x)}


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.BatchNorm(4)
        self.two = nn.BatchNorm(4, eps=1e-3)
        self.three = nn.BatchNorm(4)
        self.plain = nn.BatchNorm(4, affine=False)
        self.group = nn.GroupNorm(2, 4, pytorch_compatible=True)
        self.layer = nn.LayerNorm(12)

    def __call__(self, x1, x2, x3, x):
        three = self.three(last(x3).reshape(2, 9, 3, 4)).reshape(2, 3, 3, 3, 4)
        found = {
            "two": self.two(last(x2)),
            "three": three,
            "plain": self.plain(last(x2)),
            "group": self.group(last(x2)),
        }
        found = {name: second(y) for name, y in found.items()}
        layer = self.layer(mx.array(x).reshape(2, 12)).reshape(2, 4, 3)
        return found | {"one": self.one(mx.array(x1)), "layer": layer}


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.rnn = nn.LSTM(5, 5), nn.RNN(5, 5)

    def __call__(self, x):
        x = mx.array(x)
        return {"lstm": self.lstm(x)[0], "rnn": self.rnn(x)}


class Unbiased(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTM(5, 4, bias=False), nn.GRU(5, 4, bias=False)

    def __call__(self, x):
        x = mx.array(x)
        return {"lstm": self.lstm(x)[0], "gru": self.gru(x)}


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = [nn.GRU(5, 5), nn.GRU(5, 5)]

    def __call__(self, x):
        return {"gru": self.gru[1](self.gru[0](mx.array(x)))}


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.own = nn.MultiHeadAttention(8, 2, bias=True)

    def __call__(self, x):
        x = mx.array(x)
        return {"own": self.own(x, x, x)}


class Cross(nn.Module):
    def __init__(self):
        super().__init__()
        self.cross = nn.MultiHeadAttention(8, 2, key_input_dims=6, value_input_dims=6, value_dims=8, bias=True)

    def __call__(self, x, memory):
        memory = mx.array(memory)
        return {"cross": self.cross(mx.array(x), memory, memory)}


def make(cls, path, inputs):
    model = cls()
    model.load_weights(path, strict=True)
    return model.eval()


if __name__ == "__main__":
    mx.set_default_device(mx.cpu)
    main([Convolutions, Transposed, Dense, Norms, Recurrent, Unbiased, Gated, Attention, Cross], make)
