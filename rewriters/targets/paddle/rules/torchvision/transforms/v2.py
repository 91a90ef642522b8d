"""torchvision.transforms.v2: what has no older twin, for images alone; elastic distortion."""

import math
import random

import numpy
import paddle
from PIL import Image

from rewriters.rule import rule


def sides(image):
    """Height and width."""
    return (image.height, image.width) if isinstance(image, Image.Image) else tuple(image.shape[-2:])


@rule("torchvision.transforms.v2.Identity", "torchvision.transforms.v2.ToPureTensor")
class Identity:
    def __call__(self, image):
        return image


@rule("torchvision.transforms.v2.RGB")
class RGB:
    def __call__(self, image):
        if isinstance(image, Image.Image):
            return image.convert("RGB")
        return image if image.shape[-3] == 3 else paddle.concat([image] * 3, axis=-3)


@rule("torchvision.transforms.v2.functional.grayscale_to_rgb")
def grayscale_to_rgb(inpt):
    if isinstance(inpt, Image.Image):
        return inpt.convert("RGB")
    return inpt if inpt.shape[-3] == 3 else paddle.concat([inpt] * 3, axis=-3)


@rule("torchvision.transforms.v2.functional.permute_channels")
def permute_channels(inpt, permutation):
    if isinstance(inpt, Image.Image):
        return Image.fromarray(numpy.array(inpt)[:, :, permutation])
    return paddle.stack([inpt[..., channel, :, :] for channel in permutation], axis=-3)


@rule("torchvision.transforms.v2.RandomChannelPermutation")
class RandomChannelPermutation:
    def __call__(self, image):
        count = len(image.getbands()) if isinstance(image, Image.Image) else image.shape[-3]
        return permute_channels(image, random.sample(range(count), count))


@rule("torchvision.transforms.v2.RandomResize")
class RandomResize:
    """The shorter side gets a drawn length."""

    def __init__(self, min_size, max_size, interpolation="bilinear", antialias=True):
        self.min_size, self.max_size, self.interpolation = min_size, max_size, interpolation

    def __call__(self, image):
        size = random.randrange(self.min_size, self.max_size)
        return paddle.vision.transforms.resize(image, size, interpolation=self.interpolation)


@rule("torchvision.transforms.v2.RandomShortestSize")
class RandomShortestSize:
    """One of the lengths for the shorter side, less where the longer one would pass its bound."""

    def __init__(self, min_size, max_size=None, interpolation="bilinear", antialias=True):
        self.min_size = [min_size] if isinstance(min_size, int) else list(min_size)
        self.max_size, self.interpolation = max_size, interpolation

    def __call__(self, image):
        height, width = sides(image)
        scale = random.choice(self.min_size) / min(height, width)
        scale = scale if self.max_size is None else min(scale, self.max_size / max(height, width))
        size = (int(height * scale), int(width * scale))
        return paddle.vision.transforms.resize(image, size, interpolation=self.interpolation)


@rule("torchvision.transforms.v2.ScaleJitter")
class ScaleJitter:
    """As large as fits into the target size, times a drawn scale."""

    def __init__(self, target_size, scale_range=(0.1, 2.0), interpolation="bilinear", antialias=True):
        self.target_size, self.scale_range, self.interpolation = target_size, scale_range, interpolation

    def __call__(self, image):
        height, width = sides(image)
        scale = random.uniform(*self.scale_range)
        scale = scale * min(self.target_size[0] / height, self.target_size[1] / width)
        size = (int(height * scale), int(width * scale))
        return paddle.vision.transforms.resize(image, size, interpolation=self.interpolation)


@rule("torchvision.transforms.v2.RandomZoomOut")
class RandomZoomOut:
    """The image somewhere on a larger, filled canvas."""

    def __init__(self, fill=0, side_range=(1.0, 4.0), p=0.5):
        self.fill, self.side_range, self.p = fill, side_range, p

    def __call__(self, image):
        if random.random() >= self.p:
            return image
        height, width = sides(image)
        scale = random.uniform(*self.side_range)
        below, beside = int(height * scale) - height, int(width * scale) - width
        top, left = int(below * random.random()), int(beside * random.random())
        if isinstance(image, Image.Image):
            around = [left, top, beside - left, below - top]
            return paddle.vision.transforms.pad(image, around, fill=self.fill)
        canvas = paddle.full([*image.shape[:-2], height + below, width + beside], self.fill, dtype=image.dtype)
        canvas[..., top : top + height, left : left + width] = image
        return canvas


@rule("torchvision.transforms.v2.RandomPhotometricDistort")
class RandomPhotometricDistort:
    """Brightness, contrast, saturation, hue and the channels' order, each with its chance."""

    def __init__(self, brightness=(0.875, 1.125), contrast=(0.5, 1.5), saturation=(0.5, 1.5), hue=(-0.05, 0.05), p=0.5):
        self.brightness, self.contrast, self.saturation, self.hue, self.p = brightness, contrast, saturation, hue, p

    def __call__(self, image):
        if isinstance(image, paddle.Tensor) and image.dtype == paddle.uint8:
            return (self(image.astype("float32") / 255) * 255).round().astype("uint8")
        change = paddle.vision.transforms.functional
        light, contrast = (change.adjust_brightness, self.brightness), (change.adjust_contrast, self.contrast)
        colours = [(change.adjust_saturation, self.saturation), (change.adjust_hue, self.hue)]
        # contrast is changed before or after colours
        steps = [light, contrast, *colours] if random.random() < 0.5 else [light, *colours, contrast]
        for adjust, bounds in steps:
            image = adjust(image, random.uniform(*bounds)) if random.random() < self.p else image
        if random.random() < self.p:
            count = len(image.getbands()) if isinstance(image, Image.Image) else image.shape[-3]
            image = permute_channels(image, random.sample(range(count), count))
        return image


@rule("torchvision.transforms.v2.functional.gaussian_noise")
def gaussian_noise(inpt, mean=0.0, sigma=0.1, clip=True):
    if inpt.dtype == paddle.uint8:
        noisy = (inpt.astype("float32") + 255 * (mean + sigma * paddle.randn(inpt.shape))).clip(0, 255)
        return noisy.astype("uint8")
    noisy = inpt + mean + sigma * paddle.randn(inpt.shape, dtype=inpt.dtype)
    return noisy.clip(0, 1) if clip else noisy


@rule("torchvision.transforms.v2.GaussianNoise")
class GaussianNoise:
    def __init__(self, mean=0.0, sigma=0.1, clip=True):
        self.mean, self.sigma, self.clip = mean, sigma, clip

    def __call__(self, image):
        return gaussian_noise(image, self.mean, self.sigma, self.clip)


@rule("torchvision.transforms.v2.UniformTemporalSubsample")
class UniformTemporalSubsample:
    def __init__(self, num_samples):
        self.num_samples = num_samples

    def __call__(self, video):
        return uniform_temporal_subsample(video, self.num_samples)


@rule("torchvision.transforms.v2.functional.uniform_temporal_subsample")
def uniform_temporal_subsample(inpt, num_samples):
    places = numpy.linspace(0, inpt.shape[-4] - 1, num_samples).astype("int64")
    return inpt.index_select(paddle.to_tensor(places), axis=-4)


def mixed_labels(labels, classes, share):
    """One-hot rows, mixed with those of the image before."""
    rows = paddle.nn.functional.one_hot(labels, classes) if labels.ndim == 1 else labels.astype("float32")
    return share * rows + (1 - share) * rows.roll(1, 0)


@rule("torchvision.transforms.v2.MixUp")
class MixUp:
    """Images of a batch and their labels, each mixed with the one before."""

    def __init__(self, *, alpha=1.0, num_classes=None, labels_getter="default"):
        self.alpha, self.num_classes = alpha, num_classes

    def __call__(self, images, labels):
        share = random.betavariate(self.alpha, self.alpha)
        return share * images + (1 - share) * images.roll(1, 0), mixed_labels(labels, self.num_classes, share)


@rule("torchvision.transforms.v2.CutMix")
class CutMix:
    """A box of each image of a batch is that of the one before; labels are mixed by area."""

    def __init__(self, *, alpha=1.0, num_classes=None, labels_getter="default"):
        self.alpha, self.num_classes = alpha, num_classes

    def __call__(self, images, labels):
        height, width = images.shape[-2:]
        half = 0.5 * math.sqrt(1 - random.betavariate(self.alpha, self.alpha))
        across, down = random.randrange(width), random.randrange(height)
        left, right = max(0, int(across - half * width)), min(width, int(across + half * width))
        top, bottom = max(0, int(down - half * height)), min(height, int(down + half * height))
        mixed = images.clone()
        if top < bottom and left < right:
            mixed[..., top:bottom, left:right] = images.roll(1, 0)[..., top:bottom, left:right]
        share = 1 - (right - left) * (bottom - top) / (height * width)
        return mixed, mixed_labels(labels, self.num_classes, share)


@rule("torchvision.transforms.functional.elastic_transform", "torchvision.transforms.v2.functional.elastic")
def elastic_transform(img, displacement, interpolation="bilinear", fill=None):
    """Each pixel is read where the displacement, [1, height, width, 2] in halves of the sides, points to."""
    if fill:
        raise NotImplementedError("Paddle's grid_sample pads with zeros; add the fill before and take it away after")
    if isinstance(img, Image.Image):
        pixels = numpy.array(img)
        pixels = paddle.to_tensor(pixels[None] if pixels.ndim == 2 else pixels.transpose([2, 0, 1]))
        moved = elastic_transform(pixels, displacement, interpolation).numpy()
        return Image.fromarray(moved[0] if len(moved) == 1 else moved.transpose([1, 2, 0]))
    height, width = img.shape[-2:]
    rows = (paddle.arange(height, dtype="float32") * 2 + 1) / height - 1
    columns = (paddle.arange(width, dtype="float32") * 2 + 1) / width - 1
    down, across = paddle.meshgrid(rows, columns)
    grid = paddle.stack([across, down], axis=-1).unsqueeze(0) + displacement.astype("float32")
    planes = img.astype("float32").reshape([1, -1, height, width])
    moved = paddle.nn.functional.grid_sample(planes, grid, mode=interpolation, align_corners=False)
    return (moved.round() if img.dtype == paddle.uint8 else moved).reshape(img.shape).astype(img.dtype)


def smooth_noise(size, sigma):
    """Uniform in [-1, 1], blurred."""
    noise = paddle.rand([1, 1, *size]) * 2 - 1
    if sigma <= 0:
        return noise[0, 0]
    reach = int(8 * sigma + 1) // 2
    places = paddle.arange(-reach, reach + 1, dtype="float32")
    line = paddle.exp(-0.5 * (places / sigma) ** 2)
    kernel = paddle.outer(line, line).reshape([1, 1, 2 * reach + 1, 2 * reach + 1]) / line.sum() ** 2
    padded = paddle.nn.functional.pad(noise, [reach] * 4, mode="reflect")
    return paddle.nn.functional.conv2d(padded, kernel)[0, 0]


@rule("torchvision.transforms.ElasticTransform", "torchvision.transforms.v2.ElasticTransform")
class ElasticTransform:
    def __init__(self, alpha=50.0, sigma=5.0, interpolation="bilinear", fill=0):
        self.alpha = [alpha, alpha] if isinstance(alpha, (int, float)) else list(alpha)
        self.sigma = [sigma, sigma] if isinstance(sigma, (int, float)) else list(sigma)
        self.interpolation, self.fill = interpolation, fill

    def __call__(self, tensor):
        size = sides(tensor)
        moves = [
            smooth_noise(size, sigma) * alpha / side
            for sigma, alpha, side in zip(self.sigma, self.alpha, size, strict=True)
        ]
        return elastic_transform(tensor, paddle.stack(moves, axis=-1).unsqueeze(0), self.interpolation, self.fill)
