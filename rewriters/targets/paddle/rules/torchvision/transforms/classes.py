"""torchvision.transforms: classes. Paddle's take PIL images and arrays, some take tensors."""

import random

import numpy
import paddle
from PIL import Image

from rewriters.rule import alias, becomes, family, rule, same

becomes(
    "torchvision.transforms.Grayscale",
    "torchvision.transforms.v2.Grayscale",
    paddle.vision.transforms.Grayscale,
    num_output_channels="/",
)
becomes("torchvision.transforms.ToTensor", "torchvision.transforms.v2.ToTensor", paddle.vision.transforms.ToTensor)
becomes(
    "torchvision.transforms.CenterCrop", "torchvision.transforms.v2.CenterCrop", paddle.vision.transforms.CenterCrop
)
becomes(
    "torchvision.transforms.Normalize",
    "torchvision.transforms.v2.Normalize",
    paddle.vision.transforms.Normalize,
    inplace=None,
)
becomes("torchvision.transforms.Pad", "torchvision.transforms.v2.Pad", paddle.vision.transforms.Pad)
becomes(
    "torchvision.transforms.RandomErasing",
    "torchvision.transforms.v2.RandomErasing",
    paddle.vision.transforms.RandomErasing,
    p="prob",
)

same("torchvision.transforms.Compose")


alias("torchvision.transforms.v2.Compose", "paddle.vision.transforms.Compose")
alias("torchvision.transforms.InterpolationMode", "str")
alias("torchvision.transforms.InterpolationMode.NEAREST", "'nearest'")
alias("torchvision.transforms.InterpolationMode.BILINEAR", "'bilinear'")
alias("torchvision.transforms.InterpolationMode.BICUBIC", "'bicubic'")
alias("torchvision.transforms.InterpolationMode.LANCZOS", "'lanczos'")
alias("torchvision.transforms.InterpolationMode.BOX", "'box'")
alias("torchvision.transforms.InterpolationMode.HAMMING", "'hamming'")


@family("RandomHorizontalFlip RandomVerticalFlip")
@rule("torchvision.transforms.RandomHorizontalFlip", "torchvision.transforms.v2.RandomHorizontalFlip")
def RandomHorizontalFlip(p=0.5):
    return paddle.vision.transforms.RandomHorizontalFlip(p)


@rule("torchvision.transforms.Resize", "torchvision.transforms.v2.Resize")
def Resize(size, interpolation="bilinear", max_size=None, antialias=True):
    if max_size is not None:
        raise NotImplementedError("Paddle's Resize has no max_size; compute the size")
    return paddle.vision.transforms.Resize(size, interpolation=interpolation)


@rule("torchvision.transforms.RandomResizedCrop", "torchvision.transforms.v2.RandomResizedCrop")
def RandomResizedCrop(size, scale=(0.08, 1.0), ratio=(3.0 / 4.0, 4.0 / 3.0), interpolation="bilinear", antialias=True):
    return paddle.vision.transforms.RandomResizedCrop(size, scale=scale, ratio=ratio, interpolation=interpolation)


@rule("torchvision.transforms.RandomCrop", "torchvision.transforms.v2.RandomCrop")
def RandomCrop(size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
    return paddle.vision.transforms.RandomCrop(
        size, padding=padding, pad_if_needed=pad_if_needed, fill=fill, padding_mode=padding_mode
    )


class JitterWithin:
    """Changes in a drawn order, each by a drawn factor; a number is the range around 1, for the hue around 0."""

    def __init__(self, brightness, contrast, saturation, hue):
        change = paddle.vision.transforms.functional
        names = (change.adjust_brightness, change.adjust_contrast, change.adjust_saturation, change.adjust_hue)
        self.changes = []
        for name, bounds, middle in zip(names, (brightness, contrast, saturation, hue), (1, 1, 1, 0), strict=True):
            if isinstance(bounds, (int, float)):
                bounds = (max(0, 1 - bounds) if middle else -bounds, middle + bounds)
            if bounds is not None and tuple(bounds) != (middle, middle):
                self.changes.append((name, bounds))

    def __call__(self, image):
        for change, bounds in random.sample(self.changes, len(self.changes)):
            image = change(image, random.uniform(*bounds))
        return image


@rule("torchvision.transforms.ColorJitter", "torchvision.transforms.v2.ColorJitter")
def ColorJitter(brightness=0, contrast: int | float = 0, saturation: int | float = 0, hue=0):
    return paddle.vision.transforms.ColorJitter(brightness, contrast, saturation, hue)


@rule("torchvision.transforms.ColorJitter", "torchvision.transforms.v2.ColorJitter")
def ColorJitter(brightness=0, contrast=0, saturation=0, hue=0):
    # Paddle's takes no ranges of contrast and saturation
    return JitterWithin(brightness, contrast, saturation, hue)


@rule("torchvision.transforms.RandomRotation", "torchvision.transforms.v2.RandomRotation")
def RandomRotation(degrees, interpolation="nearest", expand=False, center=None, fill=0):
    return paddle.vision.transforms.RandomRotation(
        degrees, interpolation=interpolation, expand=expand, center=center, fill=fill
    )


@rule("torchvision.transforms.RandomAffine", "torchvision.transforms.v2.RandomAffine")
def RandomAffine(degrees, translate=None, scale=None, shear=None, interpolation="nearest", fill=0, center=None):
    return paddle.vision.transforms.RandomAffine(
        degrees, translate=translate, scale=scale, shear=shear, interpolation=interpolation, fill=fill, center=center
    )


@rule("torchvision.transforms.RandomPerspective", "torchvision.transforms.v2.RandomPerspective")
def RandomPerspective(distortion_scale=0.5, p=0.5, interpolation="bilinear", fill=0):
    return paddle.vision.transforms.RandomPerspective(
        prob=p, distortion_scale=distortion_scale, interpolation=interpolation, fill=fill
    )


@rule("torchvision.transforms.Lambda", "torchvision.transforms.v2.Lambda")
class Lambda:
    def __init__(self, lambd, *types):
        if types:
            raise NotImplementedError("it is called of all that it is given; ask for the type in the function")
        self.lambd = lambd

    def __call__(self, image):
        return self.lambd(image)


@rule("torchvision.transforms.RandomApply", "torchvision.transforms.v2.RandomApply")
class RandomApply:
    def __init__(self, transforms, p=0.5):
        self.transforms, self.p = transforms, p

    def __call__(self, image):
        if random.random() < self.p:
            for transform in self.transforms:
                image = transform(image)
        return image


@rule("torchvision.transforms.RandomChoice", "torchvision.transforms.v2.RandomChoice")
class RandomChoice:
    def __init__(self, transforms, p=None):
        self.transforms, self.p = transforms, p

    def __call__(self, image):
        return random.choices(self.transforms, weights=self.p)[0](image)


@rule("torchvision.transforms.RandomOrder", "torchvision.transforms.v2.RandomOrder")
class RandomOrder:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, image):
        for transform in random.sample(list(self.transforms), len(self.transforms)):
            image = transform(image)
        return image


@rule("torchvision.transforms.RandomGrayscale", "torchvision.transforms.v2.RandomGrayscale")
class RandomGrayscale:
    def __init__(self, p=0.1):
        self.p = p

    def __call__(self, image):
        if random.random() >= self.p:
            return image
        return paddle.vision.transforms.to_grayscale(image, len(image.getbands()))


@rule("torchvision.transforms.ToPILImage", "torchvision.transforms.v2.ToPILImage")
class ToPILImage:
    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, image):
        if isinstance(image, paddle.Tensor):
            image = image.numpy()
            image = image.transpose([1, 2, 0]) if image.ndim == 3 else image
        if image.dtype.kind == "f":
            image = (image * 255).astype("uint8")
        return Image.fromarray(image.squeeze(-1) if image.ndim == 3 and image.shape[-1] == 1 else image, self.mode)


@rule("torchvision.transforms.PILToTensor", "torchvision.transforms.v2.PILToTensor")
class PILToTensor:
    def __call__(self, image):
        array = numpy.array(image)
        return paddle.to_tensor(array[None] if array.ndim == 2 else array.transpose([2, 0, 1]))
