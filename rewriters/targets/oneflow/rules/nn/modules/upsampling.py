"""torch.nn.modules: layers that change the size of images."""

from rewriters.rule import same

same("torch.nn.Upsample", "torch.nn.UpsamplingBilinear2d", "torch.nn.UpsamplingNearest2d")
