"""torch.nn: what layers that pool, pad, fold or reshape remember of how they were made."""

from rewriters.rule import family, rule
from rewriters.shared.rules.nn.modules.attributes import on_each_axis


# Paddle's pools keep stride=None where it is the window's size.
@rule(
    "torch.nn.MaxPool2d.kernel_size",
    "torch.nn.MaxPool3d.kernel_size",
    "torch.nn.AvgPool2d.kernel_size",
    "torch.nn.AvgPool3d.kernel_size",
    "torch.nn.LPPool2d.kernel_size",
)
def kernel_size(self):
    return self.ksize


def in_a_tuple(value):
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


@family("kernel_size padding")
@rule("torch.nn.AvgPool1d.kernel_size")
def avg1_kernel_size(self):
    return in_a_tuple(self.kernel_size)


@rule("torch.nn.AvgPool1d.stride")
def avg1_stride(self):
    return in_a_tuple(self.kernel_size if self.stride is None else self.stride)


@rule(
    "torch.nn.MaxPool2d.stride", "torch.nn.MaxPool3d.stride", "torch.nn.AvgPool2d.stride", "torch.nn.AvgPool3d.stride"
)
def stride(self):
    return self.ksize if self.stride is None else self.stride


@rule("torch.nn.MaxPool1d.stride")
def max1_stride(self):
    return self.kernel_size if self.stride is None else self.stride


@rule("torch.nn.MaxPool1d.dilation", "torch.nn.MaxPool2d.dilation", "torch.nn.MaxPool3d.dilation")
def dilation(self):
    return getattr(self, "dilation", 1)


@rule("torch.nn.MaxPool1d.return_indices", "torch.nn.MaxPool2d.return_indices", "torch.nn.MaxPool3d.return_indices")
def return_indices(self):
    return self.return_mask


@rule("torch.nn.AvgPool2d.divisor_override", "torch.nn.AvgPool3d.divisor_override")
def divisor_override(self):
    return self.divisor


@rule(
    "torch.nn.AvgPool1d.count_include_pad",
    "torch.nn.AvgPool2d.count_include_pad",
    "torch.nn.AvgPool3d.count_include_pad",
)
def count_include_pad(self):
    raise NotImplementedError("Paddle's layer does not know it where nothing is padded; keep it yourself")


@family("1d 2d 3d", "1 2 3")
@rule("torch.nn.MaxUnpool1d.kernel_size")
def unpool1_kernel_size(self):
    return on_each_axis(self.ksize, 1)


@family("1d 2d 3d", "1 2 3")
@rule("torch.nn.MaxUnpool1d.stride")
def unpool1_stride(self):
    return on_each_axis(self.ksize if self.stride is None else self.stride, 1)


@rule("torch.nn.AdaptiveMaxPool2d.output_size", "torch.nn.AdaptiveMaxPool3d.output_size")
def output_size(self):
    return self._output_size


@rule("torch.nn.AdaptiveMaxPool1d.return_indices")
def adaptive_return_indices(self):
    return self.return_mask


@rule("torch.nn.AdaptiveMaxPool2d.return_indices", "torch.nn.AdaptiveMaxPool3d.return_indices")
def adaptive_return_mask(self):
    return self._return_mask


# Shapes.
@rule("torch.nn.Flatten.start_dim")
def start_dim(self):
    return self.start_axis


@rule("torch.nn.Flatten.end_dim")
def end_dim(self):
    return self.stop_axis


@rule("torch.nn.Unflatten.dim")
def dim(self):
    return self.axis


@rule("torch.nn.Unflatten.unflattened_size")
def unflattened_size(self):
    return self.shape


@rule("torch.nn.Unfold.kernel_size")
def unfold_kernel_size(self):
    return self.kernel_sizes


@family("dilation padding stride", "dilations paddings strides")
@rule("torch.nn.Unfold.dilation")
def unfold_dilation(self):
    return self.dilations


@family("PixelShuffle PixelUnshuffle", "upscale downscale")
@rule("torch.nn.PixelShuffle.upscale_factor")
def upscale_factor(self):
    return self._upscale_factor


@rule("torch.nn.ChannelShuffle.groups")
def groups(self):
    return self._groups


@rule("torch.nn.Upsample.align_corners", "torch.nn.UpsamplingNearest2d.size")
def made_with(self):
    raise NotImplementedError("Paddle's layer does not keep this as it was given; keep it yourself")


@rule("torch.nn.UpsamplingBilinear2d.mode")
def bilinear_mode(self):
    return "bilinear"


@rule("torch.nn.UpsamplingNearest2d.mode")
def nearest_mode(self):
    return "nearest"


@rule("torch.nn.UpsamplingBilinear2d.align_corners")
def bilinear_align_corners(self):
    return True


@rule(
    "torch.nn.UpsamplingNearest2d.align_corners",
    "torch.nn.UpsamplingBilinear2d.recompute_scale_factor",
    "torch.nn.UpsamplingNearest2d.recompute_scale_factor",
)
def nothing(self):
    return None
