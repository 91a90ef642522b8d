"""torch.nn.modules: norms of layers, groups and responses."""

import paddle
import torch

from rewriters.rule import flattened, rule


class PlainGroupNorm(paddle.nn.GroupNorm):
    """Without weight and bias; Paddle's own then has a wrong gradient."""

    def __init__(self, num_groups, num_channels, eps):
        paddle.nn.Layer.__init__(self)
        self._num_groups, self._num_channels, self._epsilon = num_groups, num_channels, eps
        self.weight = self.bias = None

    def forward(self, x):
        groups = x.reshape([x.shape[0], self._num_groups, -1])
        centered = groups - groups.mean(axis=-1, keepdim=True)
        variance = (centered * centered).mean(axis=-1, keepdim=True)
        return (centered / (variance + self._epsilon).sqrt()).reshape(x.shape)


@rule(torch.nn.GroupNorm)
def GroupNorm(num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None):
    if not affine:
        return PlainGroupNorm(num_groups, num_channels, eps)
    return paddle.nn.GroupNorm(num_groups, num_channels, epsilon=eps, dtype=dtype)


@rule(torch.nn.LayerNorm, layout={"weight": flattened, "bias": flattened})
def LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None):
    return paddle.nn.LayerNorm(
        normalized_shape,
        epsilon=eps,
        dtype=dtype,
        weight_attr=None if elementwise_affine else False,
        bias_attr=None if elementwise_affine and bias else False,
    )


@rule(torch.nn.RMSNorm)
class RMSNorm(paddle.nn.Layer):
    """Paddle's own rms_norm runs on GPUs only."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        shape = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
        self.axes = list(range(-len(shape), 0))
        self.normalized_shape, self.eps, self.elementwise_affine = tuple(shape), eps, elementwise_affine
        self.weight = None
        if elementwise_affine:
            one = paddle.nn.initializer.Constant(1.0)
            self.weight = self.create_parameter(shape, dtype=dtype, default_initializer=one)

    def forward(self, x):
        eps = paddle.finfo(x.dtype).eps if self.eps is None else self.eps
        normed = x * paddle.rsqrt(paddle.mean(x * x, axis=self.axes, keepdim=True) + eps)
        return normed if self.weight is None else (normed * self.weight).astype(x.dtype)


@rule(torch.nn.LocalResponseNorm)
def LocalResponseNorm(size, alpha=1e-4, beta=0.75, k=1.0):
    return paddle.nn.LocalResponseNorm(size, alpha=alpha, beta=beta, k=k)


@rule(torch.nn.CrossMapLRN2d)
def CrossMapLRN2d(size, alpha=1e-4, beta=0.75, k=1):
    return paddle.nn.LocalResponseNorm(size, alpha=alpha, beta=beta, k=k)
