"""torchvision.transforms: colours and sharpness, of PIL images and of tensors with the channels first."""

import random

import paddle
from PIL import Image, ImageEnhance, ImageOps

from rewriters.rule import family, rule


def brightest(image):
    return 255 if image.dtype == paddle.uint8 else 1.0


def mixed(image, other, factor):
    """factor 1 is the image, 0 the other."""
    result = (factor * image.astype("float32") + (1 - factor) * other.astype("float32")).clip(0, brightest(image))
    return result.astype(image.dtype)


def grey(image):
    red, green, blue = (image[..., index, :, :].astype("float32") for index in range(3))
    return (0.2989 * red + 0.587 * green + 0.114 * blue).unsqueeze(-3).astype(image.dtype)


@rule("torchvision.transforms.functional.rgb_to_grayscale", "torchvision.transforms.v2.functional.rgb_to_grayscale")
def rgb_to_grayscale(img, num_output_channels=1):
    if isinstance(img, Image.Image):
        return paddle.vision.transforms.to_grayscale(img, num_output_channels)
    result = grey(img) if img.shape[-3] == 3 else img
    return paddle.concat([result] * num_output_channels, axis=-3)


@rule("torchvision.transforms.functional.adjust_saturation", "torchvision.transforms.v2.functional.adjust_saturation")
def adjust_saturation(img, saturation_factor):
    if isinstance(img, Image.Image):
        return ImageEnhance.Color(img).enhance(saturation_factor)
    return mixed(img, grey(img), saturation_factor)


@rule("torchvision.transforms.functional.adjust_gamma", "torchvision.transforms.v2.functional.adjust_gamma")
def adjust_gamma(img, gamma, gain=1):
    if isinstance(img, Image.Image):
        table = [min(255, int(255.999 * gain * (value / 255) ** gamma)) for value in range(256)]
        return img.point(table * len(img.getbands()))
    if img.dtype == paddle.uint8:
        return (
            (gain * (img.astype("float32") / 255) ** gamma)
            .clip(0, 1)
            .multiply(paddle.to_tensor(255.999))
            .astype("uint8")
        )
    return (gain * img**gamma).clip(0, 1)


@rule("torchvision.transforms.functional.invert", "torchvision.transforms.v2.functional.invert")
def invert(img):
    return ImageOps.invert(img) if isinstance(img, Image.Image) else brightest(img) - img


@rule("torchvision.transforms.functional.posterize", "torchvision.transforms.v2.functional.posterize")
def posterize(img, bits):
    if isinstance(img, Image.Image):
        return ImageOps.posterize(img, bits)
    step = 2 ** (8 - bits)
    return (img.astype("int32") // step * step).astype("uint8")


@rule("torchvision.transforms.functional.solarize", "torchvision.transforms.v2.functional.solarize")
def solarize(img, threshold):
    if isinstance(img, Image.Image):
        return ImageOps.solarize(img, threshold)
    pixels = img.astype("float32")
    return paddle.where(pixels >= threshold, brightest(img) - pixels, pixels).astype(img.dtype)


@rule("torchvision.transforms.functional.autocontrast", "torchvision.transforms.v2.functional.autocontrast")
def autocontrast(img):
    if isinstance(img, Image.Image):
        return ImageOps.autocontrast(img)
    pixels, bound = img.astype("float32"), brightest(img)
    low, high = pixels.amin(axis=[-2, -1], keepdim=True), pixels.amax(axis=[-2, -1], keepdim=True)
    flat = high == low
    scale = bound / paddle.where(flat, paddle.full_like(high, bound), high - low)
    return ((pixels - paddle.where(flat, paddle.zeros_like(low), low)) * scale).clip(0, bound).astype(img.dtype)


@rule("torchvision.transforms.functional.equalize", "torchvision.transforms.v2.functional.equalize")
def equalize(img):
    if isinstance(img, Image.Image):
        return ImageOps.equalize(img)
    import numpy

    planes = img.reshape([-1, *img.shape[-2:]]).numpy()
    done = [numpy.array(ImageOps.equalize(Image.fromarray(plane))) for plane in planes]
    return paddle.to_tensor(numpy.stack(done)).reshape(img.shape)


@rule("torchvision.transforms.functional.adjust_sharpness", "torchvision.transforms.v2.functional.adjust_sharpness")
def adjust_sharpness(img, sharpness_factor):
    if isinstance(img, Image.Image):
        return ImageEnhance.Sharpness(img).enhance(sharpness_factor)
    kernel = paddle.to_tensor([[1.0, 1.0, 1.0], [1.0, 5.0, 1.0], [1.0, 1.0, 1.0]]).reshape([1, 1, 3, 3]) / 13
    planes = img.astype("float32").reshape([-1, 1, *img.shape[-2:]])
    smooth, planes = paddle.nn.functional.conv2d(planes, kernel), planes.clone()
    smooth = smooth.round() if img.dtype == paddle.uint8 else smooth
    # the outermost pixels stay
    planes[:, :, 1:-1, 1:-1] = smooth
    return mixed(img, planes.reshape(img.shape), sharpness_factor)


@rule("torchvision.transforms.functional.gaussian_blur", "torchvision.transforms.v2.functional.gaussian_blur")
def gaussian_blur(img, kernel_size, sigma=None):
    if isinstance(img, Image.Image):
        import numpy

        pixels = numpy.array(img)
        pixels = paddle.to_tensor(pixels[None] if pixels.ndim == 2 else pixels.transpose([2, 0, 1]))
        blurred = gaussian_blur(pixels, kernel_size, sigma).numpy()
        return Image.fromarray(blurred[0] if len(blurred) == 1 else blurred.transpose([1, 2, 0]))
    sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size) * (2 // len(kernel_size))
    sigma = [0.15 * size + 0.35 for size in sizes] if sigma is None else sigma
    sigmas = [float(sigma)] * 2 if isinstance(sigma, (int, float)) else list(sigma) * (2 // len(sigma))
    lines = []
    for size, width in zip(sizes, sigmas, strict=True):
        places = paddle.arange(size, dtype="float32") - (size - 1) / 2
        line = paddle.exp(-0.5 * (places / width) ** 2)
        lines.append(line / line.sum())
    kernel = paddle.outer(lines[1], lines[0]).reshape([1, 1, sizes[1], sizes[0]])
    planes = img.astype("float32").reshape([-1, 1, *img.shape[-2:]])
    width, height = sizes[0] // 2, sizes[1] // 2
    planes = paddle.nn.functional.pad(planes, [width, width, height, height], mode="reflect")
    blurred = paddle.nn.functional.conv2d(planes, kernel).reshape(img.shape)
    return (blurred.round() if img.dtype == paddle.uint8 else blurred).astype(img.dtype)


@rule("torchvision.transforms.GaussianBlur", "torchvision.transforms.v2.GaussianBlur")
class GaussianBlur:
    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        self.kernel_size = kernel_size
        self.sigma = (sigma, sigma) if isinstance(sigma, (int, float)) else sigma

    def __call__(self, img):
        return gaussian_blur(img, self.kernel_size, random.uniform(*self.sigma))


@family("RandomInvert RandomAutocontrast RandomEqualize", "invert autocontrast equalize")
@rule("torchvision.transforms.RandomInvert", "torchvision.transforms.v2.RandomInvert")
class RandomInvert:
    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return invert(img) if random.random() < self.p else img


@family(
    "RandomPosterize RandomSolarize RandomAdjustSharpness",
    "bits threshold sharpness_factor",
    "posterize solarize adjust_sharpness",
)
@rule("torchvision.transforms.RandomPosterize", "torchvision.transforms.v2.RandomPosterize")
class RandomPosterize:
    def __init__(self, bits, p=0.5):
        self.bits, self.p = bits, p

    def __call__(self, img):
        return posterize(img, self.bits) if random.random() < self.p else img
