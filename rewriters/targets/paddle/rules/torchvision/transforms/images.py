"""torchvision.transforms: sizes, five and ten crops, from images to tensors and back, dtypes."""

import numpy
import paddle
from PIL import Image

from rewriters.rule import rule


@rule("torchvision.transforms.functional.get_dimensions", "torchvision.transforms.v2.functional.get_dimensions")
def get_dimensions(img):
    if isinstance(img, Image.Image):
        return [len(img.getbands()), img.height, img.width]
    return [1 if img.ndim == 2 else img.shape[-3], *img.shape[-2:]]


@rule("torchvision.transforms.functional.get_image_size", "torchvision.transforms.v2.functional.get_image_size")
def get_image_size(img):
    # width first
    return list(img.size) if isinstance(img, Image.Image) else [img.shape[-1], img.shape[-2]]


@rule("torchvision.transforms.v2.functional.get_size")
def get_size(inpt):
    return [inpt.height, inpt.width] if isinstance(inpt, Image.Image) else list(inpt.shape[-2:])


@rule(
    "torchvision.transforms.functional.get_image_num_channels",
    "torchvision.transforms.v2.functional.get_image_num_channels",
    "torchvision.transforms.v2.functional.get_num_channels",
)
def get_image_num_channels(img):
    return get_dimensions(img)[0]


@rule("torchvision.transforms.functional.pil_to_tensor", "torchvision.transforms.v2.functional.pil_to_tensor")
def pil_to_tensor(pic):
    array = numpy.array(pic)
    return paddle.to_tensor(array[None] if array.ndim == 2 else array.transpose([2, 0, 1]))


@rule("torchvision.transforms.v2.functional.to_image")
def to_image(inpt):
    if isinstance(inpt, paddle.Tensor):
        return inpt
    array = numpy.array(inpt)
    return paddle.to_tensor(array[None] if array.ndim == 2 else array.transpose([2, 0, 1]))


@rule("torchvision.transforms.functional.to_pil_image", "torchvision.transforms.v2.functional.to_pil_image")
def to_pil_image(pic, mode=None):
    if isinstance(pic, paddle.Tensor):
        pic = pic.numpy()
        pic = pic.transpose([1, 2, 0]) if pic.ndim == 3 else pic
        pic = (pic * 255).astype("uint8") if pic.dtype.kind == "f" else pic
    image = Image.fromarray(pic.squeeze(-1) if pic.ndim == 3 and pic.shape[-1] == 1 else pic)
    return image if mode is None else image.convert(mode)


def largest(dtype):
    return 1 if "float" in str(dtype) else int(paddle.iinfo(dtype).max)


@rule(
    "torchvision.transforms.functional.convert_image_dtype",
    "torchvision.transforms.v2.functional.convert_image_dtype",
)
def convert_image_dtype(image, dtype=paddle.float32):
    """Values move from the range of one dtype to that of the other: floats are within [0, 1]."""
    before, after = largest(image.dtype), largest(dtype)
    if image.dtype == dtype or before == after == 1:
        return image.astype(dtype)
    if before == 1:
        # the last 0.001 keeps 1.0 within range
        return (image * (after + 1 - 1e-3)).astype(dtype)
    if after == 1:
        return image.astype(dtype) / before
    if before > after:
        return (image // ((before + 1) // (after + 1))).astype(dtype)
    return image.astype(dtype) * ((after + 1) // (before + 1))


@rule("torchvision.transforms.v2.functional.to_dtype")
def to_dtype(inpt, dtype=paddle.float32, scale=False):
    return convert_image_dtype(inpt, dtype) if scale else inpt.astype(dtype)


@rule("torchvision.transforms.ConvertImageDtype", "torchvision.transforms.v2.ConvertImageDtype")
class ConvertImageDtype:
    def __init__(self, dtype=paddle.float32):
        self.dtype = dtype

    def __call__(self, image):
        return convert_image_dtype(image, self.dtype)


@rule("torchvision.transforms.v2.ToDtype")
class ToDtype:
    """Images that are not tensors yet stay as they are."""

    def __init__(self, dtype, scale=False):
        self.dtype, self.scale = dtype, scale

    def __call__(self, image):
        if not isinstance(image, paddle.Tensor):
            return image
        return convert_image_dtype(image, self.dtype) if self.scale else image.astype(self.dtype)


@rule("torchvision.transforms.v2.ToImage")
class ToImage:
    def __call__(self, image):
        return to_image(image)


@rule("torchvision.transforms.functional.five_crop", "torchvision.transforms.v2.functional.five_crop")
def five_crop(img, size):
    """The corners and the center."""
    height, width = (size, size) if isinstance(size, int) else (size[0], size[-1])
    _, rows, columns = get_dimensions(img)
    places = [(0, 0), (0, columns - width), (rows - height, 0), (rows - height, columns - width)]
    crops = [paddle.vision.transforms.crop(img, top, left, height, width) for top, left in places]
    return (*crops, paddle.vision.transforms.center_crop(img, (height, width)))


@rule("torchvision.transforms.functional.ten_crop", "torchvision.transforms.v2.functional.ten_crop")
def ten_crop(img, size, vertical_flip=False):
    turned = paddle.vision.transforms.vflip(img) if vertical_flip else paddle.vision.transforms.hflip(img)
    return (*five_crop(img, size), *five_crop(turned, size))


@rule("torchvision.transforms.FiveCrop", "torchvision.transforms.v2.FiveCrop")
class FiveCrop:
    def __init__(self, size):
        self.size = size

    def __call__(self, img):
        return five_crop(img, self.size)


@rule("torchvision.transforms.TenCrop", "torchvision.transforms.v2.TenCrop")
class TenCrop:
    def __init__(self, size, vertical_flip=False):
        self.size, self.vertical_flip = size, vertical_flip

    def __call__(self, img):
        return ten_crop(img, self.size, self.vertical_flip)


@rule("torchvision.transforms.LinearTransformation", "torchvision.transforms.v2.LinearTransformation")
class LinearTransformation:
    """A whitening: the flattened image less the mean, times the matrix."""

    def __init__(self, transformation_matrix, mean_vector):
        self.matrix, self.mean = transformation_matrix, mean_vector

    def __call__(self, tensor):
        flat = tensor.reshape([-1, self.matrix.shape[0]]) - self.mean
        return paddle.matmul(flat, self.matrix).reshape(tensor.shape)
