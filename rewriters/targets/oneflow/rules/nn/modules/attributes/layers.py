"""torch.nn: what layers remember of how they were made, where OneFlow's call it otherwise or do not keep it."""

from rewriters.rule import differs, family, rule, same
from rewriters.shared.rules.nn.modules.attributes import on_each_axis


@rule("torch.nn.Conv1d.output_padding", "torch.nn.Conv2d.output_padding", "torch.nn.Conv3d.output_padding")
def output_padding(self):
    return (0,) * len(self.kernel_size)


@rule("torch.nn.modules.conv._ConvTransposeNd.in_channels")
def in_channels(self):
    return self.weight.shape[0]


@rule("torch.nn.modules.conv._ConvTransposeNd.out_channels")
def out_channels(self):
    return self.filters


@rule("torch.nn.modules.conv._ConvTransposeNd.padding_mode")
def padding_mode(self):
    return "zeros"


@rule("torch.nn.Conv1d.padding_mode=", "torch.nn.Conv2d.padding_mode=", "torch.nn.Conv3d.padding_mode=")
def set_padding_mode(self, value):
    differs("OneFlow's convolution goes on padding as it was made to: give padding_mode to the constructor")
    self.padding_mode = value


@family("min max", ("return 0.", "return 6."))
@rule("torch.nn.ReLU6.min_val")
def min_val(self):
    return 0.0


@rule("torch.nn.Threshold.inplace")
def inplace(self):
    return False


@family("kernel_size stride padding")
@rule(
    "torch.nn.MaxPool1d.kernel_size", "torch.nn.MaxPool2d.kernel_size",
    "torch.nn.MaxPool3d.kernel_size", "torch.nn.AvgPool2d.kernel_size",
)  # fmt: skip
def pool_kernel_size(self):
    differs("OneFlow's layer keeps a tuple of it, one for each axis: index it, or compare it with a tuple")
    return self.kernel_size


@rule("torch.nn.MaxPool1d.dilation", "torch.nn.MaxPool2d.dilation", "torch.nn.MaxPool3d.dilation")
def pool_dilation(self):
    differs("OneFlow's layer keeps a tuple of it, one for each axis: index it, or compare it with a tuple")
    return self.dilation


@rule("torch.nn.AdaptiveAvgPool2d.output_size")
def output_size(self):
    differs("OneFlow's layer keeps a tuple of it, one for each axis: index it, or compare it with a tuple")
    return self.output_size


@family("1d 2d 3d", "1 2 3")
@rule("torch.nn.MaxUnpool1d.kernel_size")
def unpool1_kernel_size(self):
    return on_each_axis(self.kernel_size, 1)


@family("1d 2d 3d", "1 2 3")
@rule("torch.nn.MaxUnpool1d.stride")
def unpool1_stride(self):
    return on_each_axis(self.kernel_size if self.stride is None else self.stride, 1)


@rule("torch.nn.AvgPool1d.kernel_size")
def average_kernel_size(self):
    return on_each_axis(self.kernel_size, 1)


@family("stride padding")
@rule("torch.nn.AvgPool1d.stride")
def average_stride(self):
    return on_each_axis(self.stride, 1)


@rule("torch.nn.ZeroPad1d.value", "torch.nn.ZeroPad3d.value")
def zeros(self):
    return 0.0


@rule("torch.nn.PixelShuffle.upscale_factor")
def upscale_factor(self):
    return self.h_upscale_factor


@rule("torch.nn.PairwiseDistance.norm")
def norm(self):
    return self.p


@rule("torch.nn.Upsample.recompute_scale_factor")
def recompute_scale_factor(self):
    return None


# Drawn anew as torch draws them.
same(
    "torch.nn.GroupNorm.reset_parameters",
    "torch.nn.modules.conv._ConvNd.reset_parameters",
    "torch.nn.modules.batchnorm._BatchNorm.reset_parameters",
    "torch.nn.modules.batchnorm._BatchNorm.reset_running_stats",
)


same("torch.nn.modules.batchnorm._BatchNorm.momentum", "torch.nn.modules.instancenorm._InstanceNorm.momentum")


@rule("torch.nn.modules.batchnorm._BatchNorm.momentum=", "torch.nn.modules.instancenorm._InstanceNorm.momentum=")
def set_momentum(self, value):
    self.momentum = value


@rule("torch.nn.modules.batchnorm._BatchNorm.momentum=", "torch.nn.modules.instancenorm._InstanceNorm.momentum=")
def set_momentum(self, value: None):
    raise NotImplementedError("a layer of OneFlow's has no cumulative average; make it with momentum=None")
