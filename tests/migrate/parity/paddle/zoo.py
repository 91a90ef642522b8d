"""Some of the models of torch/zoo.py."""

import paddle
import paddle.nn as nn
import paddle.nn.functional as F


class Dropped(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 32)
        self.drop = nn.Dropout(0.3)
        self.last = nn.Linear(32, 2)

    def forward(self, x):
        h = self.drop(paddle.tanh(self.first(x)))
        return self.last(F.dropout(h, 0.2, training=self.training))


def loss(output, x, scale):
    return scale * (output * output).mean()
