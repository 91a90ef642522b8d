"""The networks as they are written in Paddle: axes as torch has them."""

import paddle
from paddle import nn
from run import main


class Convolutions(nn.Layer):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv1D(4, 4, 4, groups=2)
        self.two = nn.Conv2D(4, 4, 4, stride=2, padding=1, groups=2)
        self.three = nn.Conv3D(2, 3, (2, 3, 2), bias_attr=False)
        self.dilated = nn.Conv2D(3, 5, (3, 2), dilation=2)
        self.depthwise = nn.Conv2D(4, 4, 3, groups=4)

    def forward(self, x1, x2, x3, rgb):
        two = self.two(x2)
        found = {"one": self.one(x1), "two": two, "three": self.three(x3)}
        return found | {"dilated": self.dilated(rgb), "depthwise": self.depthwise(two)}


class Transposed(nn.Layer):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv1DTranspose(3, 4, 4)
        self.two = nn.Conv2DTranspose(4, 4, 4, stride=2)
        self.three = nn.Conv3DTranspose(3, 2, (2, 3, 2), bias_attr=False)

    def forward(self, x1, x2, x3):
        return {"one": self.one(x1), "two": self.two(x2), "three": self.three(x3)}


class GroupedTransposed(nn.Layer):
    def __init__(self):
        super().__init__()
        self.two = nn.Conv2DTranspose(4, 6, 3, stride=2, groups=2)

    def forward(self, x2):
        return {"two": self.two(x2)}


class Block(nn.Layer):
    def __init__(self):
        super().__init__()
        self.square = nn.Linear(6, 6)
        self.scale, self.offset = self.create_parameter([6]), self.create_parameter([6])
        self.register_buffer("shift", paddle.zeros([6]))

    def forward(self, x):
        return self.square(x) * self.scale + self.offset - self.shift


class Dense(nn.Layer):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(6, 6)
        self.stack = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 6, bias_attr=False))
        self.blocks = nn.LayerList([Block(), Block()])
        self.norm = nn.LayerNorm(6, epsilon=1e-3)
        self.mix = self.create_parameter([6, 6])
        self.zoom = nn.Linear(6, 5)

    def forward(self, ids):
        x = self.stack(self.embed(ids))
        for block in self.blocks:
            x = block(x)
        x = self.norm(x) @ self.mix
        return {"features": x, "zoom": self.zoom(x)}


class Norms(nn.Layer):
    def __init__(self):
        super().__init__()
        self.one = nn.BatchNorm1D(4)
        self.two = nn.BatchNorm2D(4, epsilon=1e-3)
        self.three = nn.BatchNorm3D(4)
        self.plain = nn.BatchNorm2D(4, weight_attr=False, bias_attr=False)
        self.group = nn.GroupNorm(2, 4)
        self.layer = nn.LayerNorm((4, 3))

    def forward(self, x1, x2, x3, x):
        found = {"one": self.one(x1), "two": self.two(x2), "three": self.three(x3)}
        return found | {"plain": self.plain(x2), "group": self.group(x2), "layer": self.layer(x)}


class Recurrent(nn.Layer):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 5)
        self.rnn = nn.SimpleRNN(5, 5)

    def forward(self, x):
        return {"lstm": self.lstm(x)[0], "rnn": self.rnn(x)[0]}


class Gated(nn.Layer):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(5, 5, num_layers=2)

    def forward(self, x):
        return {"gru": self.gru(x)[0]}


class Both(nn.Layer):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 4, num_layers=2, direction="bidirect")

    def forward(self, x):
        return {"lstm": self.lstm(x)[0]}


class Attention(nn.Layer):
    """As code is converted: Paddle's attention of torch's signature, which projects query, key and value at once."""

    def __init__(self):
        super().__init__()
        self.own = paddle.compat.nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return {"own": self.own(x, x, x, need_weights=False)[0]}


class Cross(nn.Layer):
    def __init__(self):
        super().__init__()
        self.cross = paddle.compat.nn.MultiheadAttention(8, 2, kdim=6, vdim=6, batch_first=True)

    def forward(self, x, memory):
        return {"cross": self.cross(x, memory, memory, need_weights=False)[0]}


def make(cls, path, inputs):
    model = cls()
    weights = paddle.load(path)
    missing, unexpected = model.set_state_dict(weights)
    assert set(missing) <= {"plain.weight", "plain.bias"}, missing  # a normalisation's without weights
    assert not unexpected, unexpected
    model.eval()
    return lambda **inputs: {
        name: y.numpy() for name, y in model(**{n: paddle.to_tensor(x) for n, x in inputs.items()}).items()
    }


if __name__ == "__main__":
    paddle.set_device("cpu")
    main([Convolutions, Transposed, GroupedTransposed, Dense, Norms, Recurrent, Gated, Both, Attention, Cross], make)
