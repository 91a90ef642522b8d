"""torchvision.transforms: random chains of changes, RandAugment, TrivialAugmentWide, AugMix. They work on PIL images;
tensors of uint8 are made images and back.
"""

import random

import numpy
import paddle
from PIL import Image, ImageEnhance, ImageOps

from rewriters.rule import rule


def resampling(name):
    name = str(name).lower()
    return Image.Resampling[name.upper()] if name in ("nearest", "bilinear", "bicubic") else Image.Resampling.NEAREST


def changed(image, name, amount, interpolation, fill):
    """One change of an image; what moves pixels, by a share of the sides, in pixels or degrees."""
    if name in ("ShearX", "ShearY", "TranslateX", "TranslateY"):
        where = {"ShearX": 1, "TranslateX": 2, "ShearY": 3, "TranslateY": 5}[name]
        matrix = [1, 0, 0, 0, 1, 0]
        matrix[where] = -amount
        return image.transform(image.size, Image.Transform.AFFINE, matrix, resampling(interpolation), fillcolor=fill)
    if name == "Rotate":
        return image.rotate(amount, resampling(interpolation), fillcolor=fill)
    if name in ("Brightness", "Color", "Contrast", "Sharpness"):
        return getattr(ImageEnhance, name)(image).enhance(1 + amount)
    if name == "Posterize":
        return ImageOps.posterize(image, int(amount))
    if name == "Solarize":
        return ImageOps.solarize(image, amount)
    return {"AutoContrast": ImageOps.autocontrast, "Equalize": ImageOps.equalize, "Identity": Image.Image.copy}[name](
        image
    )


def on_image(image, change):
    """A PIL image is changed; a tensor of uint8 by way of one."""
    if isinstance(image, Image.Image):
        return change(image)
    pixels = image.numpy()
    made = Image.fromarray(pixels[0] if len(pixels) == 1 else pixels.transpose([1, 2, 0]))
    pixels = numpy.array(change(made))
    return paddle.to_tensor(pixels[None] if pixels.ndim == 2 else pixels.transpose([2, 0, 1]))


def colour_of(fill):
    return tuple(int(part) for part in fill) if isinstance(fill, (list, tuple)) else fill


def chosen(changes, level):
    """A change and its amount at a level; ``changes``: name -> amounts by level and whether the sign is drawn."""
    name = random.choice(list(changes))
    amounts, signed = changes[name]
    amount = 0.0 if amounts is None else float(amounts[level])
    return name, -amount if signed and random.random() < 0.5 else amount


@rule("torchvision.transforms.RandAugment", "torchvision.transforms.v2.RandAugment")
class RandAugment:
    """Some changes of one strength, as in the paper of that name."""

    def __init__(self, num_ops=2, magnitude=9, num_magnitude_bins=31, interpolation="nearest", fill=None):
        self.num_ops, self.magnitude, self.bins = num_ops, magnitude, num_magnitude_bins
        self.interpolation, self.fill = interpolation, colour_of(fill)

    def changes(self, width, height):
        def upto(bound):
            return numpy.linspace(0.0, bound, self.bins)

        return {
            "Identity": (None, False),
            "ShearX": (upto(0.3), True),
            "ShearY": (upto(0.3), True),
            "TranslateX": (upto(150 / 331 * width).round(), True),
            "TranslateY": (upto(150 / 331 * height).round(), True),
            "Rotate": (upto(30.0), True),
            "Brightness": (upto(0.9), True),
            "Color": (upto(0.9), True),
            "Contrast": (upto(0.9), True),
            "Sharpness": (upto(0.9), True),
            "Posterize": (8 - upto(4.0).round(), False),
            "Solarize": (255 - upto(255.0), False),
            "AutoContrast": (None, False),
            "Equalize": (None, False),
        }

    def change(self, image):
        for _ in range(self.num_ops):
            name, amount = chosen(self.changes(*image.size), self.magnitude)
            image = changed(image, name, amount, self.interpolation, self.fill)
        return image

    def __call__(self, img):
        return on_image(img, self.change)


@rule("torchvision.transforms.TrivialAugmentWide", "torchvision.transforms.v2.TrivialAugmentWide")
class TrivialAugmentWide:
    """One change of any strength, as in the paper on TrivialAugment."""

    def __init__(self, num_magnitude_bins=31, interpolation="nearest", fill=None):
        self.bins, self.interpolation, self.fill = num_magnitude_bins, interpolation, colour_of(fill)

    def change(self, image):
        def upto(bound):
            return numpy.linspace(0.0, bound, self.bins)

        changes = {
            name: (upto(0.99), True) for name in ("ShearX", "ShearY", "Brightness", "Color", "Contrast", "Sharpness")
        }
        changes |= {name: (upto(32.0), True) for name in ("TranslateX", "TranslateY")}
        changes |= dict.fromkeys(("Identity", "AutoContrast", "Equalize"), (None, False))
        changes["Rotate"] = (upto(135.0), True)
        changes["Posterize"] = (8 - upto(6.0).round(), False)
        changes["Solarize"] = (255 - upto(255.0), False)
        name, amount = chosen(changes, random.randrange(self.bins))
        return changed(image, name, amount, self.interpolation, self.fill)

    def __call__(self, img):
        return on_image(img, self.change)


@rule("torchvision.transforms.AugMix", "torchvision.transforms.v2.AugMix")
class AugMix:
    """The image, mixed with chains of changes by drawn weights, as in the paper of that name."""

    def __init__(
        self,
        severity=3,
        mixture_width=3,
        chain_depth=-1,
        alpha=1.0,
        all_ops=True,
        interpolation="bilinear",
        fill=None,
    ):
        self.severity, self.width, self.depth, self.alpha = severity, mixture_width, chain_depth, alpha
        self.all_ops, self.interpolation, self.fill = all_ops, interpolation, colour_of(fill)

    def changes(self, width, height):
        def upto(bound):
            return numpy.linspace(0.0, bound, 10)

        found = {
            "ShearX": (upto(0.3), True),
            "ShearY": (upto(0.3), True),
            "TranslateX": (upto(width / 3), True),
            "TranslateY": (upto(height / 3), True),
            "Rotate": (upto(30.0), True),
            "Posterize": (4 - upto(4.0).round(), False),
            "Solarize": (255 - upto(255.0), False),
            "AutoContrast": (None, False),
            "Equalize": (None, False),
        }
        colours = ("Brightness", "Color", "Contrast", "Sharpness") if self.all_ops else ()
        return found | {name: (upto(0.9), True) for name in colours}

    def change(self, image):
        share = numpy.random.beta(self.alpha, self.alpha)
        weights = numpy.random.dirichlet([self.alpha] * self.width) * share
        mixed = (1 - share) * numpy.array(image, dtype="float32")
        for weight in weights:
            one = image
            for _ in range(self.depth if self.depth > 0 else random.randint(1, 3)):
                name, amount = chosen(self.changes(*image.size), random.randrange(self.severity))
                one = changed(one, name, amount, self.interpolation, self.fill)
            mixed = mixed + weight * numpy.array(one, dtype="float32")
        return Image.fromarray(mixed.astype("uint8"))

    def __call__(self, orig_img):
        return on_image(orig_img, self.change)
