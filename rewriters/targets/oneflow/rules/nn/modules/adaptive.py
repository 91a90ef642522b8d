"""torch.nn.modules: adaptive softmax."""

from collections import namedtuple

import oneflow
import torch

from rewriters.rule import rule


def log_shares(scores):
    # not log_softmax: that of oneDNN is less exact
    return scores - oneflow.logsumexp(scores, -1, keepdim=True)


Losses = namedtuple("Losses", ["output", "loss"])


class Nothing(oneflow.nn.Module):
    """A projection from, or to, no features at all: OneFlow's Linear has none."""

    def __init__(self, in_features, out_features):
        super().__init__()
        self.out_features = out_features
        self.weight = oneflow.nn.Parameter(oneflow.zeros(out_features, in_features))

    def forward(self, input):
        return oneflow.zeros(*input.shape[:-1], self.out_features, dtype=input.dtype, device=input.device)


def projection(in_features, out_features):
    """Without a bias."""
    if in_features and out_features:
        return oneflow.nn.Linear(in_features, out_features, bias=False)
    return Nothing(in_features, out_features)


@rule(torch.nn.AdaptiveLogSoftmaxWithLoss)
class AdaptiveLogSoftmaxWithLoss(oneflow.nn.Module):
    """torch's parameters; each word's loss is that of its cluster in the head plus that within the cluster."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        self.cutoffs = [*cutoffs, n_classes]
        self.in_features, self.n_classes = in_features, n_classes
        self.div_value, self.head_bias = div_value, head_bias
        self.head = oneflow.nn.Linear(in_features, cutoffs[0] + len(cutoffs), bias=head_bias)
        self.tail = oneflow.nn.ModuleList()
        for number, (first, last) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False), 1):
            width = int(in_features // (div_value**number))
            inner = projection(in_features, width), projection(width, last - first)
            self.tail.append(oneflow.nn.Sequential(*inner))
        for place in (device, dtype):
            if place is not None:
                self.to(place)

    def log_prob(self, input):
        head, first = log_shares(self.head(input)), self.cutoffs[0]
        parts = [head[..., :first]]
        for number, layer in enumerate(self.tail):
            parts.append(log_shares(layer(input)) + head[..., first + number].unsqueeze(-1))
        return oneflow.cat(parts, -1)

    def predict(self, input):
        return oneflow.argmax(self.log_prob(input), dim=-1)

    def forward(self, input, target):
        found = self.log_prob(input)
        output = oneflow.gather(found, -1, target.unsqueeze(-1)).squeeze(-1)
        return Losses(output, -output.mean())
