"""The networks as they are written in Keras: channels last, sequences in (batch, time, features)."""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras
import numpy as np
from keras import layers, ops
from run import main


def last(x):
    """Channels from the second axis to the last."""
    return np.moveaxis(x, 1, -1)


def second(x):
    return ops.moveaxis(x, -1, 1)


class Convolutions(keras.Model):
    def __init__(self):
        super().__init__()
        self.one = layers.Conv1D(4, 4, groups=2)
        self.pad = layers.ZeroPadding2D(1)
        self.two = layers.Conv2D(4, 4, strides=2, groups=2)
        self.three = layers.Conv3D(3, (2, 3, 2), use_bias=False)
        self.dilated = layers.Conv2D(5, (3, 2), dilation_rate=2)
        self.depthwise = layers.Conv2D(4, 3, groups=4)

    def call(self, x1, x2, x3, rgb):
        two = self.two(self.pad(last(x2)))
        found = {"one": self.one(last(x1)), "two": two, "three": self.three(last(x3))}
        found |= {"dilated": self.dilated(last(rgb)), "depthwise": self.depthwise(two)}
        return {name: second(y) for name, y in found.items()}


class Transposed(keras.Model):
    def __init__(self):
        super().__init__()
        self.one = layers.Conv1DTranspose(4, 4)
        self.two = layers.Conv2DTranspose(4, 4, strides=2)
        self.three = layers.Conv3DTranspose(2, (2, 3, 2), use_bias=False)

    def call(self, x1, x2, x3):
        found = {"one": self.one(last(x1)), "two": self.two(last(x2)), "three": self.three(last(x3))}
        return {name: second(y) for name, y in found.items()}


class Block(layers.Layer):
    def __init__(self):
        super().__init__()
        self.square = layers.Dense(6)
        self.scale = self.add_weight(shape=(6,))
        self.shift = self.add_weight(shape=(6,), trainable=False)
        self.offset = self.add_weight(shape=(6,))

    def call(self, x):
        return self.square(x) * self.scale + self.offset - self.shift


class Dense(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = layers.Embedding(6, 6)
        self.stack = keras.Sequential([layers.Dense(6), layers.ReLU(), layers.Dense(6, use_bias=False)])
        self.blocks = [Block(), Block()]
        self.norm = layers.LayerNormalization(epsilon=1e-3)
        self.mix = self.add_weight(shape=(6, 6))
        self.zoom = layers.Dense(5)

    def call(self, ids):
        x = self.stack(self.embed(ids))
        for block in self.blocks:
            x = block(x)
        x = ops.matmul(self.norm(x), self.mix)
        return {"features": x, "zoom": self.zoom(x)}


class Norms(keras.Model):
    def __init__(self):
        super().__init__()
        self.one = layers.BatchNormalization(epsilon=1e-5)
        self.two = layers.BatchNormalization()
        self.three = layers.BatchNormalization(epsilon=1e-5)
        self.plain = layers.BatchNormalization(epsilon=1e-5, center=False, scale=False)
        self.group = layers.GroupNormalization(2, epsilon=1e-5)
        self.layer = layers.LayerNormalization(axis=[1, 2], epsilon=1e-5)

    def call(self, x1, x2, x3, x):
        found = {"two": self.two(last(x2)), "three": self.three(last(x3))}
        found |= {"plain": self.plain(last(x2)), "group": self.group(last(x2))}
        return {name: second(y) for name, y in found.items()} | {"one": self.one(x1), "layer": self.layer(x)}


class Recurrent(keras.Model):
    def __init__(self):
        super().__init__()
        self.lstm = layers.LSTM(5, return_sequences=True)
        self.rnn = layers.SimpleRNN(5, return_sequences=True)

    def call(self, x):
        return {"lstm": self.lstm(x), "rnn": self.rnn(x)}


class Unbiased(keras.Model):
    def __init__(self):
        super().__init__()
        self.lstm = layers.LSTM(4, return_sequences=True, use_bias=False)
        self.gru = layers.GRU(4, return_sequences=True, use_bias=False)

    def call(self, x):
        return {"lstm": self.lstm(x), "gru": self.gru(x)}


class Gated(keras.Model):
    def __init__(self):
        super().__init__()
        self.gru = [layers.GRU(5, return_sequences=True) for _ in range(2)]

    def call(self, x):
        return {"gru": self.gru[1](self.gru[0](x))}


class Both(keras.Model):
    def __init__(self):
        super().__init__()
        self.lstm = [layers.Bidirectional(layers.LSTM(4, return_sequences=True)) for _ in range(2)]

    def call(self, x):
        return {"lstm": self.lstm[1](self.lstm[0](x))}


class Attention(keras.Model):
    def __init__(self):
        super().__init__()
        self.own = layers.MultiHeadAttention(2, 4)

    def call(self, x):
        return {"own": self.own(x, x)}


class Cross(keras.Model):
    def __init__(self):
        super().__init__()
        self.cross = layers.MultiHeadAttention(2, 4)

    def call(self, x, memory):
        return {"cross": self.cross(x, memory)}


def make(cls, path, inputs):
    model = cls()
    model(**inputs)  # makes the variables
    before = {value.path: value.numpy() for value in model.weights}
    model.load_weights(path)
    left = [value.path for value in model.weights if (value.numpy() == before[value.path]).all()]
    assert not left, left
    return lambda **inputs: model(**inputs, training=False)


if __name__ == "__main__":
    main([Convolutions, Transposed, Dense, Norms, Recurrent, Unbiased, Gated, Both, Attention, Cross], make)
