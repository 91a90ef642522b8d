"""Transforms of distributions."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.distributions.AbsTransform)
def AbsTransform(cache_size=0):
    return paddle.distribution.AbsTransform()


@rule(torch.distributions.ExpTransform)
def ExpTransform(cache_size=0):
    return paddle.distribution.ExpTransform()


@rule(torch.distributions.SigmoidTransform)
def SigmoidTransform(cache_size=0):
    return paddle.distribution.SigmoidTransform()


@rule(torch.distributions.SoftmaxTransform)
def SoftmaxTransform(cache_size=0):
    return paddle.distribution.SoftmaxTransform()


@rule(torch.distributions.StickBreakingTransform)
def StickBreakingTransform(cache_size=0):
    return paddle.distribution.StickBreakingTransform()


@rule(torch.distributions.TanhTransform)
def TanhTransform(cache_size=0):
    return paddle.distribution.TanhTransform()


@rule(torch.distributions.AffineTransform)
def AffineTransform(loc: paddle.Tensor, scale: paddle.Tensor, event_dim=0, cache_size=0):
    return paddle.distribution.AffineTransform(loc, scale)


@rule(torch.distributions.AffineTransform)
def AffineTransform(loc, scale, event_dim=0, cache_size=0):  # noqa: F811
    return paddle.distribution.AffineTransform(
        loc if isinstance(loc, paddle.Tensor) else paddle.to_tensor(float(loc)),
        scale if isinstance(scale, paddle.Tensor) else paddle.to_tensor(float(scale)),
    )


@rule(torch.distributions.PowerTransform)
def PowerTransform(exponent: paddle.Tensor, cache_size=0):
    return paddle.distribution.PowerTransform(exponent)


@rule(torch.distributions.PowerTransform)
def PowerTransform(exponent: int | float, cache_size=0):  # noqa: F811
    return paddle.distribution.PowerTransform(paddle.to_tensor(float(exponent)))


@rule(torch.distributions.ReshapeTransform)
def ReshapeTransform(in_shape, out_shape, cache_size=0):
    return paddle.distribution.ReshapeTransform(in_shape, out_shape)


@rule(torch.distributions.StackTransform)
def StackTransform(tseq, dim=0, cache_size=0):
    return paddle.distribution.StackTransform(tseq, axis=dim)


@rule(torch.distributions.ComposeTransform)
def ComposeTransform(parts, cache_size=0):
    return paddle.distribution.ChainTransform(parts)


@rule(torch.distributions.IndependentTransform)
def IndependentTransform(base_transform, reinterpreted_batch_ndims, cache_size=0):
    return paddle.distribution.IndependentTransform(base_transform, reinterpreted_batch_ndims)


@rule(torch.distributions.Transform.log_abs_det_jacobian)
def log_abs_det_jacobian(self, x, y):
    return self.forward_log_det_jacobian(x)


@rule(torch.distributions.Transform.forward_shape)
def forward_shape(self, shape):
    return self.forward_shape(shape)


@rule(torch.distributions.Transform.inverse_shape)
def inverse_shape(self, shape):
    return self.inverse_shape(shape)
