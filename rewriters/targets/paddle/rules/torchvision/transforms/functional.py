"""torchvision.transforms.functional."""

import paddle

from rewriters.rule import becomes, family, rule

becomes(
    "torchvision.transforms.functional.to_grayscale", paddle.vision.transforms.to_grayscale, num_output_channels="/"
)
becomes(
    "torchvision.transforms.functional.to_tensor",
    "torchvision.transforms.v2.functional.to_tensor",
    paddle.vision.transforms.to_tensor,
)
becomes(
    "torchvision.transforms.functional.normalize",
    "torchvision.transforms.v2.functional.normalize",
    paddle.vision.transforms.normalize,
    inplace=None,
)
becomes(
    "torchvision.transforms.functional.center_crop",
    "torchvision.transforms.v2.functional.center_crop",
    paddle.vision.transforms.center_crop,
)
becomes(
    "torchvision.transforms.functional.crop", "torchvision.transforms.v2.functional.crop", paddle.vision.transforms.crop
)
becomes(
    "torchvision.transforms.functional.hflip",
    "torchvision.transforms.v2.functional.hflip",
    paddle.vision.transforms.hflip,
)
becomes("torchvision.transforms.functional.vflip", paddle.vision.transforms.vflip)
becomes(
    "torchvision.transforms.functional.pad", "torchvision.transforms.v2.functional.pad", paddle.vision.transforms.pad
)
becomes(
    "torchvision.transforms.functional.erase",
    "torchvision.transforms.v2.functional.erase",
    paddle.vision.transforms.erase,
)


@rule("torchvision.transforms.functional.resize", "torchvision.transforms.v2.functional.resize")
def resize(img, size, interpolation="bilinear", max_size=None, antialias=True):
    if max_size is not None:
        raise NotImplementedError("Paddle's resize has no max_size; compute the size")
    return paddle.vision.transforms.resize(img, size, interpolation=interpolation)


@rule("torchvision.transforms.functional.rotate", "torchvision.transforms.v2.functional.rotate")
def rotate(img, angle, interpolation="nearest", expand=False, center=None, fill=0):
    return paddle.vision.transforms.rotate(
        img, angle, interpolation=interpolation, expand=expand, center=center, fill=fill
    )


@family("brightness contrast hue")
@rule("torchvision.transforms.functional.adjust_brightness", "torchvision.transforms.v2.functional.adjust_brightness")
def adjust_brightness(img, brightness_factor):
    return paddle.vision.transforms.adjust_brightness(img, brightness_factor)


@rule("torchvision.transforms.functional.affine", "torchvision.transforms.v2.functional.affine")
def affine(img, angle, translate, scale, shear, interpolation="nearest", fill=0, center=None):
    return paddle.vision.transforms.affine(
        img, angle, translate, scale, shear, interpolation=interpolation, fill=fill, center=center
    )


@rule("torchvision.transforms.functional.perspective", "torchvision.transforms.v2.functional.perspective")
def perspective(img, startpoints, endpoints, interpolation="bilinear", fill=0):
    return paddle.vision.transforms.perspective(img, startpoints, endpoints, interpolation=interpolation, fill=fill)


@rule("torchvision.transforms.functional.resized_crop", "torchvision.transforms.v2.functional.resized_crop")
def resized_crop(img, top, left, height, width, size, interpolation="bilinear", antialias=True):
    return paddle.vision.transforms.resize(
        paddle.vision.transforms.crop(img, top, left, height, width), size, interpolation=interpolation
    )
