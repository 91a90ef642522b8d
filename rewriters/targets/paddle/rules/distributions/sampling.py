"""torch.distributions: what samples, for distributions of any kind."""

import paddle


class Drawn(paddle.distribution.Distribution):
    """Samples without a gradient; stddev."""

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            return self.rsample(sample_shape)

    @property
    def stddev(self):
        return paddle.sqrt(self.variance)


def open_uniform(shape, like):
    """Uniform random numbers, never 0 or 1."""
    return paddle.uniform(shape, like.dtype, 2**-24, 1 - 2**-24)


def both(one, other):
    """Two parameters, of which Paddle takes tensors or numbers: the one like the other, where that is a tensor."""
    if isinstance(one, paddle.Tensor) and not isinstance(other, paddle.Tensor):
        return one, paddle.full_like(one, other)
    if isinstance(other, paddle.Tensor) and not isinstance(one, paddle.Tensor):
        return paddle.full_like(other, one), other
    return one, other


class Sampling:
    """What torch's distributions have and Paddle's do not: samples without a gradient, stddev, rsample's shape."""

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            return super().sample(list(sample_shape)).detach()

    @property
    def stddev(self):
        return paddle.sqrt(self.variance)

    def perplexity(self):
        return paddle.exp(self.entropy())
