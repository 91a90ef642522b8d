"""torch.nn: what convolutions, norms and embeddings remember of how they were made, and what is set on them later."""

import paddle
import torch

from rewriters.rule import family, rule


# Convolutions.
@family("in out padding", "channels channels mode")
@rule("torch.nn.modules.conv._ConvNd.in_channels")
def in_channels(self):
    return self._in_channels


@rule("torch.nn.modules.conv._ConvNd.kernel_size")
def kernel_size(self):
    return tuple(self._kernel_size)


@family("stride dilation")
@rule("torch.nn.modules.conv._ConvNd.stride")
def stride(self):
    return tuple(self._stride)


# Where it is convolved with a list is as good as a tuple, and a number stands for all axes.
@family("kernel_size padding")
@rule("torch.nn.modules.conv._ConvNd.kernel_size:convolved")
def convolved_kernel_size(self):
    return self._kernel_size


@rule("torch.nn.modules.conv._ConvNd.output_padding:convolved")
def convolved_output_padding(self):
    return self.output_padding


@family("stride dilation")
@rule("torch.nn.modules.conv._ConvNd.stride:convolved", "torch.nn.modules.conv._ConvNd.stride:kept")
def kept_stride(self):
    return self._stride


@rule("torch.nn.modules.conv._ConvNd.groups")
def groups(self):
    return self._groups


def of_each_axis(value, axes):
    """A number for all axes, or one for each; "same" where that was written out, before and behind each axis."""
    if isinstance(value, (list, tuple)):
        return tuple(value) if len(value) == axes else "same"
    return value if isinstance(value, str) else (value,) * axes


@rule("torch.nn.modules.conv._ConvNd.padding")
def padding(self):
    return of_each_axis(self._padding, len(self._kernel_size))


@rule("torch.nn.modules.conv._ConvNd.output_padding")
def output_padding(self):
    return of_each_axis(self.output_padding, len(self._kernel_size))


@family("stride dilation")
@rule("torch.nn.modules.conv._ConvNd.stride=")
def set_stride(self, value):
    self._stride = value if isinstance(value, (list, tuple)) else [value] * len(self._kernel_size)


@rule("torch.nn.modules.conv._ConvNd.padding=")
def set_padding(self, value):
    self._padding = list(value) if isinstance(value, (list, tuple)) else value
    if isinstance(value, str):
        self._updated_padding, self._padding_algorithm = [0] * len(self._kernel_size), value.upper()
    elif self._padding_mode == "zeros":  # with another, what is padded was settled when the layer was made, as in torch
        self._updated_padding = list(value) if isinstance(value, (list, tuple)) else [value] * len(self._kernel_size)
        self._padding_algorithm = "EXPLICIT"


# Norms. Paddle's momentum is what is kept, torch's what is added.
@rule(
    "torch.nn.modules.batchnorm._BatchNorm.eps",
    "torch.nn.modules.instancenorm._InstanceNorm.eps",
    "torch.nn.LayerNorm.eps",
    "torch.nn.GroupNorm.eps",
)
def norm_eps(self):
    return self._epsilon


@rule(
    "torch.nn.modules.batchnorm._BatchNorm.eps=",
    "torch.nn.modules.instancenorm._InstanceNorm.eps=",
    "torch.nn.LayerNorm.eps=",
    "torch.nn.GroupNorm.eps=",
)
def set_norm_eps(self, value):
    self._epsilon = value


@rule(
    "torch.nn.modules.batchnorm._BatchNorm.num_features",
    "torch.nn.modules.instancenorm._InstanceNorm.num_features",
)
def num_features(self):
    return self._num_features


@rule("torch.nn.modules.batchnorm._BatchNorm.momentum", "torch.nn.modules.instancenorm._InstanceNorm.momentum")
def momentum(self):
    # what is left of a decimal fraction taken from 1 is none
    return round(1 - self._momentum, 12)


@rule("torch.nn.modules.batchnorm._BatchNorm.momentum=", "torch.nn.modules.instancenorm._InstanceNorm.momentum=")
def set_momentum(self, value):
    self._momentum = 1 - value


@rule("torch.nn.modules.batchnorm._BatchNorm.momentum=", "torch.nn.modules.instancenorm._InstanceNorm.momentum=")
def set_momentum(self, value: None):
    raise NotImplementedError("Paddle's normalization has no cumulative average; give it a number")


@rule(
    "torch.nn.modules.batchnorm._BatchNorm.affine", "torch.nn.GroupNorm.affine", "torch.nn.LayerNorm.elementwise_affine"
)
def affine(self):
    return self.weight is not None


def start_statistics(norm):
    if hasattr(norm, "reset_running_stats"):  # the helper's own, which count batches too, or keep none
        norm.reset_running_stats()
        return
    with paddle.no_grad():
        norm._mean.zero_()
        norm._variance.fill_(1.0)


@rule(torch.nn.modules.batchnorm._BatchNorm.reset_running_stats)
def reset_running_stats(self):
    start_statistics(self)


@rule("torch.nn.modules.instancenorm._InstanceNorm.affine")
def instance_affine(self):
    return self.scale is not None


@rule("torch.nn.modules.batchnorm._BatchNorm.track_running_stats")
def track_running_stats(self):
    return getattr(self, "track_running_stats", True)


@rule("torch.nn.modules.instancenorm._InstanceNorm.track_running_stats")
def instance_track_running_stats(self):
    return False


@rule("torch.nn.LayerNorm.normalized_shape")
def normalized_shape(self):
    return tuple(self._normalized_shape)


@family(
    "GroupNorm GroupNorm Embedding Embedding Embedding", "num num embedding max norm", "groups channels dim norm type"
)
@rule("torch.nn.GroupNorm.num_groups")
def num_groups(self):
    return self._num_groups


# Embeddings and bilinear layers.
@rule("torch.nn.Embedding.num_embeddings")
def num_embeddings(self):
    return self._num_embeddings


@rule("torch.nn.Embedding.padding_idx")
def padding_idx(self):
    return None if self._padding_idx is None else self._padding_idx % self._num_embeddings


@rule("torch.nn.Embedding.scale_grad_by_freq")
def scale_grad_by_freq(self):
    return self._scale_grad_by_freq


@rule("torch.nn.Embedding.sparse")
def sparse(self):
    return self._sparse


@family("1 2")
@rule("torch.nn.Bilinear.in1_features")
def in1_features(self):
    return self._in1_features


@rule("torch.nn.Bilinear.out_features")
def bilinear_out_features(self):
    return self._out_features
