"""torch.nn: what layers remember of how they were made."""

from rewriters.rule import family, rule


@rule("torch.nn.modules.conv._ConvNd.transposed")
def transposed(self):
    return False


@rule("torch.nn.modules.conv._ConvTransposeNd.transposed")
def transposed_transposed(self):
    return True


def on_each_axis(value, axes):
    return tuple(value) if isinstance(value, (list, tuple)) else (value,) * axes


@family("1d 2d 3d", "1 2 3")
@rule("torch.nn.MaxUnpool1d.padding")
def unpool1_padding(self):
    return on_each_axis(self.padding, 1)


@rule("torch.nn.Upsample.name")
def upsample_name(self):
    return "Upsample"


@rule("torch.nn.UpsamplingBilinear2d.name")
def bilinear_name(self):
    return "UpsamplingBilinear2d"


@rule("torch.nn.UpsamplingNearest2d.name")
def nearest_name(self):
    return "UpsamplingNearest2d"
