"""The networks as they are written in MindSpore: axes as torch has them."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from run import main

PAD = {"pad_mode": "pad", "has_bias": True}
VALID = {"pad_mode": "valid", "has_bias": True}


class Convolutions(nn.Cell):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv1d(4, 4, 4, group=2, **VALID)
        self.two = nn.Conv2d(4, 4, 4, stride=2, padding=1, group=2, **PAD)
        self.three = nn.Conv3d(2, 3, (2, 3, 2), pad_mode="valid")
        self.dilated = nn.Conv2d(3, 5, (3, 2), dilation=2, **VALID)
        self.depthwise = nn.Conv2d(4, 4, 3, group=4, **VALID)

    def construct(self, x1, x2, x3, rgb):
        two = self.two(x2)
        found = {"one": self.one(x1), "two": two, "three": self.three(x3)}
        return found | {"dilated": self.dilated(rgb), "depthwise": self.depthwise(two)}


class Transposed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv1dTranspose(3, 4, 4, **VALID)
        self.two = nn.Conv2dTranspose(4, 4, 4, stride=2, **VALID)
        self.three = nn.Conv3dTranspose(3, 2, (2, 3, 2), pad_mode="valid")

    def construct(self, x1, x2, x3):
        return {"one": self.one(x1), "two": self.two(x2), "three": self.three(x3)}


class GroupedTransposed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.two = nn.Conv2dTranspose(4, 6, 3, stride=2, group=2, **VALID)

    def construct(self, x2):
        return {"two": self.two(x2)}


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.square = nn.Dense(6, 6)
        self.scale, self.offset = Parameter(ops.zeros(6), name="scale"), Parameter(ops.zeros(6), name="offset")
        self.shift = Parameter(ops.zeros(6), name="shift", requires_grad=False)

    def construct(self, x):
        return self.square(x) * self.scale + self.offset - self.shift


class Dense(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(6, 6)
        self.stack = nn.SequentialCell(nn.Dense(6, 6), nn.ReLU(), nn.Dense(6, 6, has_bias=False))
        self.blocks = nn.CellList([Block(), Block()])
        self.norm = nn.LayerNorm((6,), epsilon=1e-3)
        self.mix = Parameter(ops.zeros((6, 6)), name="mix")
        self.zoom = nn.Dense(6, 5)

    def construct(self, ids):
        x = self.stack(self.embed(ids))
        for block in self.blocks:
            x = block(x)
        x = ops.matmul(self.norm(x), self.mix)
        return {"features": x, "zoom": self.zoom(x)}


class Norms(nn.Cell):
    def __init__(self):
        super().__init__()
        self.one = nn.BatchNorm1d(4)
        self.two = nn.BatchNorm2d(4, eps=1e-3)
        self.three = nn.BatchNorm3d(4)
        self.plain = nn.BatchNorm2d(4, affine=False)
        self.group = nn.GroupNorm(2, 4)
        self.layer = nn.LayerNorm((4, 3), begin_norm_axis=1, begin_params_axis=1, epsilon=1e-5)

    def construct(self, x1, x2, x3, x):
        found = {"one": self.one(x1), "two": self.two(x2), "three": self.three(x3)}
        return found | {"plain": self.plain(x2), "group": self.group(x2), "layer": self.layer(x)}


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 5, batch_first=True)
        self.rnn = nn.RNN(5, 5, batch_first=True)

    def construct(self, x):
        return {"lstm": self.lstm(x)[0], "rnn": self.rnn(x)[0]}


class Unbiased(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 4, batch_first=True, has_bias=False)
        self.gru = nn.GRU(5, 4, batch_first=True, has_bias=False)

    def construct(self, x):
        return {"lstm": self.lstm(x)[0], "gru": self.gru(x)[0]}


class Gated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(5, 5, num_layers=2, batch_first=True)

    def construct(self, x):
        return {"gru": self.gru(x)[0]}


class Both(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 4, num_layers=2, batch_first=True, bidirectional=True)

    def construct(self, x):
        return {"lstm": self.lstm(x)[0]}


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.own = nn.MultiheadAttention(8, 2, batch_first=True)

    def construct(self, x):
        return {"own": self.own(x, x, x, need_weights=False)[0]}


class Cross(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cross = nn.MultiheadAttention(8, 2, kdim=6, vdim=6, batch_first=True)

    def construct(self, x, memory):
        return {"cross": self.cross(x, memory, memory, need_weights=False)[0]}


def make(cls, path, inputs):
    model = cls()
    missing, unexpected = ms.load_param_into_net(
        model, ms.load_checkpoint(path, format="safetensors"), strict_load=True
    )
    # What a normalisation without weights has, it keeps at ones and zeros.
    assert set(missing) <= {"plain.gamma", "plain.beta"}, missing
    assert not unexpected, unexpected
    model.set_train(False)

    def call(**inputs):
        outputs = model(
            **{
                name: Tensor(array.astype(np.int32 if array.dtype.kind == "i" else np.float32))
                for name, array in inputs.items()
            }
        )
        return {name: value.asnumpy() for name, value in outputs.items()}

    return call


if __name__ == "__main__":
    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.set_device("CPU")
    main(
        [Convolutions, Transposed, GroupedTransposed, Dense, Norms, Recurrent, Unbiased, Gated, Both, Attention, Cross],
        make,
    )
