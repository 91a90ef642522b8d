"""Transforms of distributions."""

import functools
import math

import paddle
import torch

from rewriters.rule import alias, becomes, family, rule

becomes(torch.distributions.ReshapeTransform, paddle.distribution.ReshapeTransform, cache_size=None)
becomes(torch.distributions.StackTransform, paddle.distribution.StackTransform, cache_size=None, dim="axis")
becomes(torch.distributions.ComposeTransform, paddle.distribution.ChainTransform, cache_size=None)
becomes(torch.distributions.IndependentTransform, paddle.distribution.IndependentTransform, cache_size=None)


@family("AbsTransform ExpTransform SigmoidTransform SoftmaxTransform StickBreakingTransform TanhTransform")
@rule(torch.distributions.AbsTransform)
def AbsTransform(cache_size=0):
    return paddle.distribution.AbsTransform()


@rule(torch.distributions.AffineTransform)
def AffineTransform(loc: paddle.Tensor, scale: paddle.Tensor, event_dim=0, cache_size=0):
    if event_dim != 0:
        raise NotImplementedError("Paddle's AffineTransform is of single numbers; put Independent around it")
    return paddle.distribution.AffineTransform(loc, scale)


@rule(torch.distributions.AffineTransform)
def AffineTransform(loc, scale, event_dim=0, cache_size=0):
    if event_dim != 0:
        raise NotImplementedError("Paddle's AffineTransform is of single numbers; put Independent around it")
    return paddle.distribution.AffineTransform(
        loc if isinstance(loc, paddle.Tensor) else paddle.to_tensor(float(loc)),
        scale if isinstance(scale, paddle.Tensor) else paddle.to_tensor(float(scale)),
    )


@rule(torch.distributions.PowerTransform)
def PowerTransform(exponent: paddle.Tensor, cache_size=0):
    return paddle.distribution.PowerTransform(exponent)


@rule(torch.distributions.PowerTransform)
def PowerTransform(exponent: int | float, cache_size=0):
    return paddle.distribution.PowerTransform(paddle.to_tensor(float(exponent)))


@rule(torch.distributions.Transform.log_abs_det_jacobian)
def log_abs_det_jacobian(self, x, y):
    return self.forward_log_det_jacobian(x)


@family("forward inverse")
@rule(torch.distributions.Transform.forward_shape)
def forward_shape(self, shape):
    return self.forward_shape(shape)


@rule(torch.distributions.SoftplusTransform)
class SoftplusTransform(paddle.distribution.Transform):
    def __init__(self, cache_size=0):
        super().__init__()

    def _forward(self, x):
        return paddle.nn.functional.softplus(x)

    def _inverse(self, y):
        return y + paddle.log(-paddle.expm1(-y))

    def _forward_log_det_jacobian(self, x):
        return -paddle.nn.functional.softplus(-x)


@rule(torch.distributions.CumulativeDistributionTransform)
class CumulativeDistributionTransform(paddle.distribution.Transform):
    """Onto the interval from 0 to 1, by a distribution's cdf."""

    def __init__(self, distribution, cache_size=0):
        super().__init__()
        self.distribution = distribution

    def _forward(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def _forward_log_det_jacobian(self, x):
        return self.distribution.log_prob(x)


class OfMatrices(paddle.distribution.Transform):
    """Between matrices."""

    def __init__(self, cache_size=0):
        super().__init__()

    @property
    def _domain(self):
        return paddle.distribution.variable.Real(2)

    @property
    def _codomain(self):
        return paddle.distribution.variable.Real(2)


@rule(torch.distributions.LowerCholeskyTransform)
class LowerCholeskyTransform(OfMatrices):
    """Any matrix to a lower triangular one with a positive diagonal."""

    def _forward(self, x):
        # paddle.diag_embed has no gradient
        diagonal = paddle.eye(x.shape[-1], dtype=x.dtype)
        return paddle.tril(x, -1) + paddle.exp(x * diagonal) * diagonal

    def _inverse(self, y):
        diagonal = paddle.eye(y.shape[-1], dtype=y.dtype)
        return paddle.tril(y, -1) + paddle.log(paddle.where(diagonal > 0, y, paddle.ones_like(y)))


@rule(torch.distributions.PositiveDefiniteTransform)
class PositiveDefiniteTransform(OfMatrices):
    """Any matrix to a positive definite one, through its Cholesky factor."""

    def _forward(self, x):
        factor = LowerCholeskyTransform().forward(x)
        return paddle.matmul(factor, factor, transpose_y=True)

    def _inverse(self, y):
        return LowerCholeskyTransform().inverse(paddle.linalg.cholesky(y))


@rule(torch.distributions.CorrCholeskyTransform)
class CorrCholeskyTransform(OfMatrices):
    """D (D - 1) / 2 numbers to the Cholesky factor of a D x D correlation matrix, whose rows have the length 1."""

    @property
    def _domain(self):
        return paddle.distribution.variable.Real(1)

    def size(self, count):
        size = round(0.5 + (0.25 + 2 * count) ** 0.5)
        if size * (size - 1) // 2 != count:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return size

    def places(self, size):
        return paddle.nonzero(paddle.tril(paddle.ones([size * size]).reshape([size, size]), -1).flatten()).flatten()

    def below(self, x):
        """The numbers' hyperbolic tangents below the diagonal."""
        size = self.size(x.shape[-1])
        flat = paddle.zeros([*x.shape[:-1], size * size], x.dtype)
        places = self.places(size).expand(x.shape)
        return paddle.put_along_axis(flat, places, paddle.tanh(x), -1).reshape([*x.shape[:-1], size, size])

    def left(self, tangents):
        """Of the length 1, squared, before each place of a row."""
        rest = paddle.cumprod(1 - tangents**2, dim=-1)
        return paddle.concat([paddle.ones_like(rest[..., :1]), rest[..., :-1]], axis=-1)

    def _forward(self, x):
        tangents = self.below(x)
        return (tangents + paddle.eye(tangents.shape[-1], dtype=x.dtype)) * paddle.sqrt(self.left(tangents))

    def _inverse(self, y):
        used = paddle.cumsum(y**2, axis=-1) - y**2
        size = y.shape[-1]
        flat = (y / paddle.sqrt(paddle.clip(1 - used, min=1e-38))).reshape([*y.shape[:-2], size * size])
        return paddle.atanh(paddle.index_select(flat, self.places(size), axis=-1))

    def _forward_log_det_jacobian(self, x):
        size = self.size(x.shape[-1])
        left = paddle.tril(paddle.log(self.left(self.below(x))), -1)
        tangents = 2 * (math.log(2) - x - paddle.nn.functional.softplus(-2 * x))
        return tangents.sum(axis=-1) + left.reshape([*x.shape[:-1], size * size]).sum(axis=-1) / 2

    def _forward_shape(self, shape):
        size = self.size(shape[-1])
        return (*shape[:-1], size, size)

    def _inverse_shape(self, shape):
        return (*shape[:-2], shape[-1] * (shape[-1] - 1) // 2)


@rule(torch.distributions.CatTransform)
class CatTransform(paddle.distribution.Transform):
    """One transform for each of several parts along an axis."""

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__()
        self.transforms, self.dim = list(tseq), dim
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)

    def each(self, method, value):
        parts = paddle.split(value, self.lengths, axis=self.dim)
        found = [getattr(t, method)(part) for t, part in zip(self.transforms, parts, strict=True)]
        return paddle.concat(found, axis=self.dim)

    def _forward(self, x):
        return self.each("forward", x)

    def _inverse(self, y):
        return self.each("inverse", y)

    def _forward_log_det_jacobian(self, x):
        return self.each("forward_log_det_jacobian", x)


@rule(torch.distributions.transforms.vec_to_tril_matrix)
def vec_to_tril_matrix(vec, diag=0):
    # the size D whose triangle from the diagonal `diag` on has as many places as vec
    size = round((-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2)
    places = paddle.nonzero(paddle.tril(paddle.ones([size, size]), diag).flatten()).flatten()
    flat = paddle.zeros([*vec.shape[:-1], size * size], vec.dtype)
    found = paddle.put_along_axis(flat, places.expand(vec.shape), vec, -1)
    return found.reshape([*vec.shape[:-1], size, size])


@rule(torch.distributions.transforms.tril_matrix_to_vec)
def tril_matrix_to_vec(mat, diag=0):
    size = mat.shape[-1]
    places = paddle.nonzero(paddle.tril(paddle.ones([size, size]), diag).flatten()).flatten()
    return paddle.index_select(mat.reshape([*mat.shape[:-2], size * size]), places, axis=-1)


@rule(torch.distributions.transforms.broadcast_all, torch.distributions.utils.broadcast_all)
def broadcast_all(*values):
    dtype = next((value.dtype for value in values if isinstance(value, paddle.Tensor)), paddle.get_default_dtype())
    found = [v if isinstance(v, paddle.Tensor) else paddle.to_tensor(v, dtype) for v in values]
    shape = functools.reduce(paddle.broadcast_shape, [value.shape for value in found])
    return tuple(value.expand(shape) for value in found)


@rule(torch.distributions.transforms.lazy_property)
class lazy_property(functools.cached_property):
    """Computed when it is first asked for."""


alias(torch.distributions.Transform, "paddle.distribution.Transform")


@rule("torch.distributions.Transform:base")
class ProgramsTransform(paddle.distribution.Transform):
    """What a program's transform derives from: it says _call and _inverse, as torch asks, and fits Paddle's chains."""

    bijective = False
    _cache_size, _last, _inv = 0, (None, None), None

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        super().__init__()
        self._cache_size = cache_size

    @property
    def inv(self):
        if self._inv is None:
            self._inv = InverseTransform(self)
        return self._inv

    @property
    def event_dim(self):
        if self.domain.event_dim == self.codomain.event_dim:
            return self.domain.event_dim
        raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def sign(self):
        raise NotImplementedError

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is ProgramsTransform.__init__:
            return type(self)(cache_size=cache_size)
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def __call__(self, x):
        if not self._cache_size:
            return self._call(x)
        if self._last[0] is None or self._last[0] is not x:
            self._last = x, self._call(x)
        return self._last[1]

    def _inv_call(self, y):
        if not self._cache_size:
            return self._inverse(y)
        if self._last[1] is None or self._last[1] is not y:
            self._last = self._inverse(y), y
        return self._last[0]

    def _call(self, x):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        raise NotImplementedError

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape

    def __repr__(self):
        return f"{type(self).__name__}()"

    # What Paddle's chains and distributions ask.
    def forward(self, x):
        return self(x)

    def inverse(self, y):
        return self._inv_call(y)

    def forward_log_det_jacobian(self, x):
        return self.log_abs_det_jacobian(x, self(x))

    def inverse_log_det_jacobian(self, y):
        return -self.log_abs_det_jacobian(self._inv_call(y), y)

    def _is_injective(self):
        return self.bijective

    @property
    def _domain(self):
        return paddle.distribution.variable.Real(self.domain.event_dim)

    @property
    def _codomain(self):
        return paddle.distribution.variable.Real(self.codomain.event_dim)


@rule(torch.distributions.transforms._InverseTransform)
class InverseTransform(ProgramsTransform):
    """What ``inv`` of a program's transform is."""

    def __init__(self, transform):
        super().__init__(transform._cache_size)
        self._inv = transform

    @property
    def domain(self):
        return self._inv.codomain

    @property
    def codomain(self):
        return self._inv.domain

    @property
    def bijective(self):
        return self._inv.bijective

    @property
    def sign(self):
        return self._inv.sign

    def with_cache(self, cache_size=1):
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, InverseTransform) and self._inv == other._inv

    def __call__(self, x):
        return self._inv._inv_call(x)

    def _inv_call(self, y):
        return self._inv(y)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)

    def __repr__(self):
        return f"{type(self).__name__}({self._inv!r})"
