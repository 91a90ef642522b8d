"""torch.nn.modules: adaptive softmax."""

from collections import namedtuple

import oneflow
import torch

from rewriters.rule import rule


def log_shares(scores):
    # not log_softmax: that of oneDNN is less exact
    return scores - oneflow.logsumexp(scores, -1, keepdim=True)


Losses = namedtuple("Losses", ["output", "loss"])


@rule(torch.nn.AdaptiveLogSoftmaxWithLoss)
class AdaptiveLogSoftmaxWithLoss(oneflow.nn.Module):
    """torch's parameters; each word's loss is that of its cluster in the head plus that within the cluster."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None):
        super().__init__()
        self.cutoffs = [*cutoffs, n_classes]
        self.in_features, self.n_classes = in_features, n_classes
        self.div_value, self.head_bias = div_value, head_bias
        self.head = oneflow.nn.Linear(in_features, cutoffs[0] + len(cutoffs), bias=head_bias)
        self.tail = oneflow.nn.ModuleList()
        for number, (first, last) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False), 1):
            width = int(in_features // (div_value**number))
            inner = (
                oneflow.nn.Linear(in_features, width, bias=False),
                oneflow.nn.Linear(width, last - first, bias=False),
            )
            self.tail.append(oneflow.nn.Sequential(*inner))
        if device is not None:
            self.to(device)

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
