"""torch.nn.modules: adaptive softmax."""

from collections import namedtuple

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.modules.container import ModuleList, Sequential
from rewriters.targets.jax.rules.nn.modules.linear import Linear
from rewriters.targets.jax.rules.nn.modules.module import Module

Losses = namedtuple("Losses", ["output", "loss"])


@rule(torch.nn.AdaptiveLogSoftmaxWithLoss)
class AdaptiveLogSoftmaxWithLoss(Module):
    """torch's parameters; each word's loss is that of its cluster in the head plus that within the cluster."""

    def __init__(
        self,
        in_features,
        n_classes,
        cutoffs,
        div_value=4.0,
        head_bias=False,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__()
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, [*cutoffs, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        made = {"dtype": dtype, "rngs": rngs}
        self.head = Linear(in_features, cutoffs[0] + len(cutoffs), bias=head_bias, **made)
        self.tail = ModuleList()
        for number, (first, last) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False), 1):
            width = int(in_features // (div_value**number))
            inner = Linear(in_features, width, bias=False, **made), Linear(width, last - first, bias=False, **made)
            self.tail.append(Sequential(*inner))

    def log_prob(self, input):
        head, first = jax.nn.log_softmax(self.head(input), -1), self.cutoffs[0]
        parts = [head[..., :first]]
        for number, layer in enumerate(self.tail):
            parts.append(jax.nn.log_softmax(layer(input), -1) + head[..., first + number, None])
        return jnp.concatenate(parts, -1)

    def predict(self, input):
        return jnp.argmax(self.log_prob(input), -1)

    def __call__(self, input, target):
        output = jnp.take_along_axis(self.log_prob(input), target[..., None], -1)[..., 0]
        return Losses(output, -output.mean())
