"""torchvision.transforms.functional."""

import paddle

from rewriters.rule import family, rule


@rule("torchvision.transforms.functional.to_tensor", "torchvision.transforms.v2.functional.to_tensor")
def to_tensor(pic):
    return paddle.vision.transforms.to_tensor(pic)


@rule("torchvision.transforms.functional.normalize", "torchvision.transforms.v2.functional.normalize")
def normalize(tensor, mean, std, inplace=False):
    return paddle.vision.transforms.normalize(tensor, mean, std)


@rule("torchvision.transforms.functional.resize", "torchvision.transforms.v2.functional.resize")
def resize(img, size, interpolation="bilinear", max_size=None, antialias=True):
    if max_size is not None:
        raise NotImplementedError("Paddle's resize has no max_size; compute the size")
    return paddle.vision.transforms.resize(img, size, interpolation=interpolation)


@rule("torchvision.transforms.functional.center_crop", "torchvision.transforms.v2.functional.center_crop")
def center_crop(img, output_size):
    return paddle.vision.transforms.center_crop(img, output_size)


@rule("torchvision.transforms.functional.crop", "torchvision.transforms.v2.functional.crop")
def crop(img, top, left, height, width):
    return paddle.vision.transforms.crop(img, top, left, height, width)


@rule("torchvision.transforms.functional.hflip", "torchvision.transforms.v2.functional.hflip")
def hflip(img):
    return paddle.vision.transforms.hflip(img)


@rule("torchvision.transforms.functional.vflip")
def vflip(img):
    return paddle.vision.transforms.vflip(img)


@rule("torchvision.transforms.functional.pad", "torchvision.transforms.v2.functional.pad")
def pad(img, padding, fill=0, padding_mode="constant"):
    return paddle.vision.transforms.pad(img, padding, fill=fill, padding_mode=padding_mode)


@rule("torchvision.transforms.functional.rotate", "torchvision.transforms.v2.functional.rotate")
def rotate(img, angle, interpolation="nearest", expand=False, center=None, fill=0):
    return paddle.vision.transforms.rotate(
        img, angle, interpolation=interpolation, expand=expand, center=center, fill=fill
    )


@family("brightness contrast hue")
@rule("torchvision.transforms.functional.adjust_brightness", "torchvision.transforms.v2.functional.adjust_brightness")
def adjust_brightness(img, brightness_factor):
    return paddle.vision.transforms.adjust_brightness(img, brightness_factor)


@rule("torchvision.transforms.functional.to_grayscale")
def to_grayscale(img, num_output_channels=1):
    return paddle.vision.transforms.to_grayscale(img, num_output_channels)


@rule("torchvision.transforms.functional.affine", "torchvision.transforms.v2.functional.affine")
def affine(img, angle, translate, scale, shear, interpolation="nearest", fill=0, center=None):
    return paddle.vision.transforms.affine(
        img, angle, translate, scale, shear, interpolation=interpolation, fill=fill, center=center
    )


@rule("torchvision.transforms.functional.perspective", "torchvision.transforms.v2.functional.perspective")
def perspective(img, startpoints, endpoints, interpolation="bilinear", fill=0):
    return paddle.vision.transforms.perspective(img, startpoints, endpoints, interpolation=interpolation, fill=fill)


@rule("torchvision.transforms.functional.erase", "torchvision.transforms.v2.functional.erase")
def erase(img, i, j, h, w, v, inplace=False):
    return paddle.vision.transforms.erase(img, i, j, h, w, v, inplace=inplace)


@rule("torchvision.transforms.functional.resized_crop", "torchvision.transforms.v2.functional.resized_crop")
def resized_crop(img, top, left, height, width, size, interpolation="bilinear", antialias=True):
    return paddle.vision.transforms.resize(
        paddle.vision.transforms.crop(img, top, left, height, width), size, interpolation=interpolation
    )
