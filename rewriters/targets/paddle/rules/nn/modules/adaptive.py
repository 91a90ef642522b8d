"""torch.nn.modules: adaptive softmax."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import rule

Losses = namedtuple("Losses", ["output", "loss"])


@rule(torch.nn.AdaptiveLogSoftmaxWithLoss)
class AdaptiveLogSoftmaxWithLoss(paddle.nn.Layer):
    """torch's parameters; each word's loss is that of its cluster in the head plus that within the cluster."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        self.cutoffs = [*cutoffs, n_classes]
        self.n_classes = n_classes
        clusters = len(cutoffs)
        self.head = paddle.nn.Linear(in_features, cutoffs[0] + clusters, bias_attr=None if head_bias else False)
        self.tail = paddle.nn.LayerList()
        for i in range(clusters):
            width = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                paddle.nn.Sequential(
                    paddle.nn.Linear(in_features, width, bias_attr=False),
                    paddle.nn.Linear(width, size, bias_attr=False),
                )
            )
        if dtype is not None:
            self.to(dtype=dtype)

    def log_prob(self, input):
        head = paddle.nn.functional.log_softmax(self.head(input), axis=-1)
        first = self.cutoffs[0]
        parts = [head[..., :first]]
        for i, layer in enumerate(self.tail):
            own = paddle.nn.functional.log_softmax(layer(input), axis=-1)
            parts.append(own + head[..., first + i].unsqueeze(-1))
        return paddle.concat(parts, axis=-1)

    def predict(self, input):
        return self.log_prob(input).argmax(axis=-1)

    def forward(self, input, target):
        found = self.log_prob(input)
        output = paddle.take_along_axis(found, target.unsqueeze(-1), axis=-1).squeeze(-1)
        return Losses(output, -output.mean())
