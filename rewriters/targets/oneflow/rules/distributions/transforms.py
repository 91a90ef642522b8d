"""Transforms of one number each, and distributions that they are applied to."""

import copy
import math

import oneflow
import torch

from rewriters.rule import rule, same
from rewriters.targets.oneflow.rules.distributions.distribution import Distribution

same(
    "torch.distributions.Transform.inv",
    "torch.distributions.Transform.log_abs_det_jacobian",
    "torch.distributions.Transform.sign",
)


@rule(torch.distributions.Transform)
class Transform:
    """y = f(x). With a cache the last x and y are kept, so that the inverse of y is x itself."""

    bijective = True
    event_dim = 0

    def __init__(self, cache_size=0):
        self._cache_size, self.kept = cache_size, (None, None)

    def __call__(self, x):
        if self._cache_size and x is self.kept[0]:
            return self.kept[1]
        y = self._call(x)
        if self._cache_size:
            self.kept = x, y
        return y

    @property
    def inv(self):
        return InverseTransform(self)

    def back(self, y):
        """The x of this y."""
        if self._cache_size and y is self.kept[1]:
            return self.kept[0]
        x = self._inverse(y)
        if self._cache_size:
            self.kept = x, y
        return x

    def _call(self, x):
        raise NotImplementedError(f"{type(self).__name__} has no _call")

    def _inverse(self, y):
        raise NotImplementedError(f"{type(self).__name__} has no _inverse")

    def log_abs_det_jacobian(self, x, y):
        raise NotImplementedError(f"{type(self).__name__} has no log_abs_det_jacobian")

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape

    def __repr__(self):
        return type(self).__name__ + "()"


@rule(torch.distributions.transforms._InverseTransform)
class InverseTransform(Transform):
    def __init__(self, transform):
        super().__init__()
        self.transform, self.event_dim = transform, transform.event_dim

    @property
    def inv(self):
        return self.transform

    @property
    def sign(self):
        return self.transform.sign

    def _call(self, x):
        return self.transform.back(x)

    def _inverse(self, y):
        return self.transform(y)

    def log_abs_det_jacobian(self, x, y):
        return -self.transform.log_abs_det_jacobian(y, x)


@rule(torch.distributions.ComposeTransform)
class ComposeTransform(Transform):
    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = [*parts]
        self.event_dim = max((part.event_dim for part in self.parts), default=0)

    @property
    def sign(self):
        return math.prod(part.sign for part in self.parts)

    def _call(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y):
        for part in reversed(self.parts):
            y = part.back(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        found = oneflow.zeros_like(x)
        for part in self.parts:
            after = part(x)
            found, x = found + part.log_abs_det_jacobian(x, after), after
        return found


@rule(torch.distributions.ExpTransform)
class ExpTransform(Transform):
    sign = 1

    def _call(self, x):
        return oneflow.exp(x)

    def _inverse(self, y):
        return oneflow.log(y)

    def log_abs_det_jacobian(self, x, y):
        return x


@rule(torch.distributions.TanhTransform)
class TanhTransform(Transform):
    sign = 1

    def _call(self, x):
        return oneflow.tanh(x)

    def _inverse(self, y):
        return oneflow.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        # of 1 - tanh(x)^2, without its loss of digits
        return 2 * (math.log(2) - x - oneflow.nn.functional.softplus(-2 * x))


@rule(torch.distributions.SigmoidTransform)
class SigmoidTransform(Transform):
    sign = 1

    def _call(self, x):
        limits = oneflow.finfo(x.dtype)
        return oneflow.clamp(oneflow.sigmoid(x), min=limits.tiny, max=1 - limits.eps)

    def _inverse(self, y):
        limits = oneflow.finfo(y.dtype)
        y = oneflow.clamp(y, min=limits.tiny, max=1 - limits.eps)
        return oneflow.log(y) - oneflow.log1p(-y)

    def log_abs_det_jacobian(self, x, y):
        return -oneflow.nn.functional.softplus(-x) - oneflow.nn.functional.softplus(x)


@rule(torch.distributions.AffineTransform)
class AffineTransform(Transform):
    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        if event_dim:
            raise NotImplementedError("here AffineTransform is of single numbers; put Independent around it")
        self.loc, self.scale = loc, scale

    @property
    def sign(self):
        return oneflow.sign(self.scale) if isinstance(self.scale, oneflow.Tensor) else math.copysign(1, self.scale)

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        if isinstance(self.scale, oneflow.Tensor):
            return oneflow.log(oneflow.abs(self.scale)).expand(x.shape)
        return oneflow.full_like(x, math.log(abs(self.scale)))


@rule(torch.distributions.TransformedDistribution)
class TransformedDistribution(torch.distributions.Distribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        self.base_dist = base_distribution
        self.transforms = [transforms] if isinstance(transforms, Transform) else [*transforms]
        super().__init__(base_distribution.batch_shape, base_distribution.event_shape, validate_args)

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    def through(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape=()):
        with oneflow.no_grad():
            return self.through(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=()):
        return self.through(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        found, y = 0.0, value
        for transform in reversed(self.transforms):
            x = transform.back(y)
            slope = transform.log_abs_det_jacobian(x, y)
            found = found - slope.reshape([*slope.shape[: slope.ndim - len(self.event_shape)], -1]).sum(-1)
            y = x
        return found + self.base_dist.log_prob(y)

    def below(self, value):
        """What becomes of shares where the transforms fall."""
        sign = math.prod(transform.sign for transform in self.transforms)
        return value if isinstance(sign, (int, float)) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value):
        for transform in reversed(self.transforms):
            value = transform.back(value)
        return self.below(self.base_dist.cdf(value))

    def icdf(self, value):
        return self.through(self.base_dist.icdf(self.below(value)))

    def expand(self, batch_shape, _instance=None):
        found = copy.copy(self)
        found.base_dist, found._batch_shape = self.base_dist.expand(batch_shape), oneflow.Size([*batch_shape])
        return found

    def __repr__(self):
        return "TransformedDistribution()"


@rule(torch.distributions.transforms.broadcast_all)
def broadcast_all(*values):
    return tuple(Distribution().spread(*values))
