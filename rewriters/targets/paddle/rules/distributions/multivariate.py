"""Distributions over vectors and matrices that Paddle has not."""

import paddle
import torch

from rewriters.rule import rule, same
from rewriters.targets.paddle.rules.distributions.sampling import Sampling

same(
    "torch.distributions.LowRankMultivariateNormal.covariance_matrix",
    "torch.distributions.LowRankMultivariateNormal.precision_matrix",
    "torch.distributions.LowRankMultivariateNormal.scale_tril",
    "torch.distributions.LowRankMultivariateNormal.variance",
    "torch.distributions.Wishart.covariance_matrix",
    "torch.distributions.Wishart.precision_matrix",
    "torch.distributions.Wishart.scale_tril",
)


def with_diagonal(values):
    """Matrices of zeros but for their diagonals; paddle.diag_embed has no gradient."""
    return values.unsqueeze(-1) * paddle.eye(values.shape[-1], dtype=values.dtype)


@rule(torch.distributions.LowRankMultivariateNormal)
class LowRankMultivariateNormal(paddle.distribution.MultivariateNormal):
    """Computed with the whole covariance matrix: right, without the saving of a low rank."""

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        self.cov_factor, self.cov_diag = cov_factor, cov_diag
        spread = paddle.matmul(cov_factor, cov_factor, transpose_y=True) + with_diagonal(cov_diag)
        super().__init__(loc, spread)

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            return super().sample(list(sample_shape)).detach()

    @property
    def stddev(self):
        return paddle.sqrt(self.variance)

    @property
    def mode(self):
        return self.mean


@rule(torch.distributions.LogisticNormal)
class LogisticNormal(paddle.distribution.Distribution):
    """The normal distribution broken into the shares of a stick, one more than there were numbers."""

    def __init__(self, loc, scale, validate_args=None):
        shape = paddle.broadcast_shape(loc.shape, scale.shape)
        self.loc, self.scale = loc.expand(shape), scale.expand(shape)
        self.broken = paddle.distribution.StickBreakingTransform()
        super().__init__(shape[:-1], [shape[-1] + 1])

    def rsample(self, sample_shape=()):
        return self.broken.forward(paddle.distribution.Normal(self.loc, self.scale).rsample(list(sample_shape)))

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            return self.rsample(sample_shape)

    def log_prob(self, value):
        x = self.broken.inverse(value)
        normal = paddle.distribution.Normal(self.loc, self.scale).log_prob(x).sum(axis=-1)
        return normal - self.broken.forward_log_det_jacobian(x)


@rule(torch.distributions.Wishart)
class Wishart(paddle.distribution.Distribution):
    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if precision_matrix is not None:
            covariance_matrix = paddle.linalg.inv(precision_matrix)
        self.scale_tril = paddle.linalg.cholesky(covariance_matrix) if scale_tril is None else scale_tril
        shape = self.scale_tril.shape
        df = df if isinstance(df, paddle.Tensor) else paddle.full([], df, self.scale_tril.dtype)
        batch = paddle.broadcast_shape(df.shape, shape[:-2]) if df.ndim and len(shape) > 2 else df.shape or shape[:-2]
        self.df = df.expand(batch)
        self.scale_tril = self.scale_tril.expand([*batch, *shape[-2:]])
        super().__init__(batch, shape[-2:])

    @property
    def covariance_matrix(self):
        return paddle.matmul(self.scale_tril, self.scale_tril, transpose_y=True)

    @property
    def precision_matrix(self):
        return paddle.linalg.inv(self.covariance_matrix)

    @property
    def mean(self):
        return self.df.unsqueeze([-1, -2]) * self.covariance_matrix

    @property
    def mode(self):
        factor = self.df - self.event_shape[0] - 1
        factor = paddle.where(factor <= 0, paddle.full_like(factor, float("nan")), factor)
        return factor.unsqueeze([-1, -2]) * self.covariance_matrix

    @property
    def variance(self):
        matrix = self.covariance_matrix
        diagonal = paddle.diagonal(matrix, axis1=-2, axis2=-1)
        return self.df.unsqueeze([-1, -2]) * (matrix**2 + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    @property
    def stddev(self):
        return paddle.sqrt(self.variance)

    def half_log_det(self):
        """Of the covariance matrix."""
        return paddle.log(paddle.diagonal(self.scale_tril, axis1=-2, axis2=-1)).sum(axis=-1)

    def sample(self, sample_shape=()):
        """By Bartlett's decomposition."""
        with paddle.no_grad():
            size = self.event_shape[0]
            shape = [*sample_shape, *self.batch_shape]
            degrees = (self.df.unsqueeze(-1) - paddle.arange(size, dtype=self.df.dtype)).expand([*shape, size])
            roots = paddle.sqrt(2 * paddle.standard_gamma(degrees / 2))
            lower = paddle.tril(paddle.randn([*shape, size, size], self.df.dtype), -1) + with_diagonal(roots)
            factor = paddle.matmul(self.scale_tril, lower)
            return paddle.matmul(factor, factor, transpose_y=True)

    def log_prob(self, value):
        size = self.event_shape[0]
        determinant = paddle.linalg.slogdet(value)[1]
        spread = paddle.linalg.solve(self.covariance_matrix.expand(value.shape), value)
        return (
            -self.df * (self.half_log_det() + size / 2 * paddle.log(paddle.full([], 2.0, value.dtype)))
            - paddle.multigammaln(self.df / 2, size)
            + (self.df - size - 1) / 2 * determinant
            - paddle.diagonal(spread, axis1=-2, axis2=-1).sum(axis=-1) / 2
        )

    def entropy(self):
        size = self.event_shape[0]
        steps = (self.df.unsqueeze(-1) - paddle.arange(size, dtype=self.df.dtype)) / 2
        return (
            (size + 1) * (self.half_log_det() + size / 2 * paddle.log(paddle.full([], 2.0, self.df.dtype)))
            + paddle.multigammaln(self.df / 2, size)
            - (self.df - size - 1) / 2 * paddle.digamma(steps).sum(axis=-1)
            + self.df * size / 2
        )


@rule(torch.distributions.Dirichlet)
class Dirichlet(Sampling, paddle.distribution.Dirichlet):
    def __init__(self, concentration, validate_args=None):
        super().__init__(concentration)


@rule(torch.distributions.MultivariateNormal)
class MultivariateNormal(Sampling, paddle.distribution.MultivariateNormal):
    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        super().__init__(loc, covariance_matrix, precision_matrix, scale_tril)


@rule(torch.distributions.LKJCholesky)
class LKJCholesky(Sampling, paddle.distribution.LKJCholesky):
    def __init__(self, dim, concentration=1.0, validate_args=None):
        super().__init__(dim, concentration)
