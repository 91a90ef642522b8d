"""Normalization that is frozen, or of which a part is: Paddle 3.3.1 then gives no gradient, or a wrong one."""

import paddle

from rewriters.rule import family, flattened, renamed, rule
from rewriters.targets.paddle.rules.nn.functional.normalization import with_gradients
from rewriters.targets.paddle.rules.nn.modules.transformer import FreezableLayerNorm


class GradientsApart:
    """Gives each of weight and bias its gradient where the other takes none; beside one of Paddle's InstanceNorms."""

    def make(self, base, num_features, eps, affine, track_running_stats, dtype):
        if track_running_stats:
            raise NotImplementedError("Paddle's InstanceNorm keeps no running statistics; track_running_stats=False")
        given = None if affine else False
        base.__init__(self, num_features, epsilon=eps, weight_attr=given, bias_attr=given)
        if dtype is not None:
            self.to(dtype=dtype)

    def forward(self, input):
        weight, bias = with_gradients(self.scale, self.bias)
        return paddle.nn.functional.instance_norm(input, weight=weight, bias=bias, eps=self._epsilon)


@family("1d 2d 3d")
@rule("torch.nn.InstanceNorm1d:frozen", layout={"weight": renamed("scale")})
class TorchInstanceNorm1d(GradientsApart, paddle.nn.InstanceNorm1D):
    """Trains what is not frozen of it."""

    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
    ):
        self.make(paddle.nn.InstanceNorm1D, num_features, eps, affine, track_running_stats, dtype)


@rule("torch.nn.LayerNorm:frozen", layout={"weight": flattened, "bias": flattened})
class TorchLayerNorm(FreezableLayerNorm):
    """Hands on the right gradient where it is frozen."""

    def __init__(self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None):
        weight_attr = None if elementwise_affine else False
        bias_attr = None if elementwise_affine and bias else False
        super().__init__(normalized_shape, epsilon=eps, weight_attr=weight_attr, bias_attr=bias_attr, dtype=dtype)
