"""torch.nn.modules: instance norms."""

import paddle
import torch

from rewriters.rule import family, note, renamed, rule

note(
    torch.nn.InstanceNorm1d,
    "Paddle's takes an input of two axes, one sequence without a batch, for a batch of numbers, and gives zeros; "
    "where a call is not known to give it that, write self.norm(x.unsqueeze(0)).squeeze(0)",
)


# Instance normalization is without weight and bias unless asked for.
@family("1d 2d 3d")
@rule(torch.nn.InstanceNorm1d, layout={"weight": renamed("scale")})
def InstanceNorm1d(num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None):
    if track_running_stats:
        raise NotImplementedError("Paddle's InstanceNorm keeps no running statistics; track_running_stats=False")
    return paddle.nn.InstanceNorm1D(
        num_features, epsilon=eps, weight_attr=None if affine else False, bias_attr=None if affine else False
    )


@family("1d 2d 3d")
@rule(torch.nn.InstanceNorm1d)
def InstanceNorm1d(
    num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None
):
    if track_running_stats:
        raise NotImplementedError("Paddle's InstanceNorm keeps no running statistics; track_running_stats=False")
    layer = paddle.nn.InstanceNorm1D(
        num_features, epsilon=eps, weight_attr=None if affine else False, bias_attr=None if affine else False
    )
    return layer if dtype is None else layer.to(dtype=dtype)


@rule("torch.nn.InstanceNorm1d.weight", "torch.nn.InstanceNorm2d.weight", "torch.nn.InstanceNorm3d.weight")
def instance_norm_weight(self):
    return self.scale
