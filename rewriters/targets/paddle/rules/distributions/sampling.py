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
