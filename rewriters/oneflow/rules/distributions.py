"""torch.distributions: the normal and the categorical one; OneFlow has the latter, for drawing alone."""

import math

import oneflow
import torch

from rewriters.rule import rule, same

same(
    "torch.distributions.Distribution.sample",
    "torch.distributions.Distribution.rsample",
    "torch.distributions.Distribution.log_prob",
    "torch.distributions.Distribution.entropy",
    "torch.distributions.Distribution.perplexity",
    "torch.distributions.Distribution.mean",
    "torch.distributions.Distribution.mode",
    "torch.distributions.Distribution.stddev",
    "torch.distributions.Distribution.variance",
    "torch.distributions.Distribution.batch_shape",
    "torch.distributions.Categorical.probs",
    "torch.distributions.Categorical.logits",
    "torch.distributions.Normal.loc",
    "torch.distributions.Normal.scale",
)


class Distribution:
    """What both have in common."""

    def sample(self, sample_shape=()):
        with oneflow.no_grad():
            return self.drawn(tuple(sample_shape))

    @property
    def stddev(self):
        return oneflow.sqrt(self.variance)

    def perplexity(self):
        return oneflow.exp(self.entropy())


@rule(torch.distributions.Normal)
class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        tensors = [part for part in (loc, scale) if isinstance(part, oneflow.Tensor)]
        like = tensors[0] if tensors else oneflow.zeros(())
        loc, scale = (
            part if isinstance(part, oneflow.Tensor) else oneflow.full_like(like, float(part)) for part in (loc, scale)
        )
        self.loc, self.scale = oneflow.broadcast_tensors(loc, scale)
        self.batch_shape = self.loc.shape

    mean = mode = property(lambda self: self.loc)

    @property
    def variance(self):
        return self.scale * self.scale

    def rsample(self, sample_shape=()):
        return self.drawn(tuple(sample_shape))

    def drawn(self, shape):
        noise = oneflow.randn((*shape, *self.batch_shape), dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + noise * self.scale

    def log_prob(self, value):
        away = (value - self.loc) / self.scale
        return -0.5 * away * away - oneflow.log(self.scale) - 0.5 * math.log(2 * math.pi)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + oneflow.log(self.scale)

    def cdf(self, value):
        return 0.5 * (1 + oneflow.erf((value - self.loc) / (self.scale * math.sqrt(2))))


@rule(torch.distributions.Categorical)
class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        given = oneflow.log(probs / oneflow.sum(probs, -1, keepdim=True)) if logits is None else logits
        # not log_softmax: oneDNN's is less exact
        top = oneflow.max(given, -1, keepdim=True)[0].detach()
        self.logits = given - top - oneflow.log(oneflow.sum(oneflow.exp(given - top), -1, keepdim=True))
        self.batch_shape = self.logits.shape[:-1]

    @property
    def probs(self):
        return oneflow.exp(self.logits)

    @property
    def mode(self):
        return oneflow.argmax(self.logits, -1)

    def drawn(self, shape):
        rows = self.probs.reshape(-1, self.logits.shape[-1])
        count = math.prod(shape)
        return oneflow.multinomial(rows, count, True).transpose(0, 1).reshape(*shape, *self.batch_shape)

    def log_prob(self, value):
        index, logits = value.to(oneflow.int64), self.logits
        shape = oneflow.broadcast_tensors(index, logits[..., 0])[0].shape
        logits = logits.expand(*shape, logits.shape[-1])
        return oneflow.gather(logits, len(shape), index.expand(*shape).unsqueeze(-1)).squeeze(-1)

    def entropy(self):
        # of 0 * log(0) the limit, as torch has it
        logits = oneflow.clamp(self.logits, min=oneflow.finfo(self.logits.dtype).min)
        return -oneflow.sum(logits * self.probs, -1)
