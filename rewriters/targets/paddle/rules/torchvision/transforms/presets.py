"""torchvision.transforms: presets."""

from rewriters.rule import alias

alias("torchvision.transforms._presets.InterpolationMode", "str")
alias("torchvision.transforms._presets.InterpolationMode.BICUBIC", "'bicubic'")
alias("torchvision.transforms._presets.InterpolationMode.BILINEAR", "'bilinear'")
alias("torchvision.transforms._presets.InterpolationMode.NEAREST", "'nearest'")
