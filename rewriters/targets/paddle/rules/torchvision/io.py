"""torchvision.io: images. Read and written by Pillow, since Paddle's own decode_jpeg needs a GPU."""

import io

import numpy
import paddle
from PIL import Image

from rewriters.rule import alias, becomes, rule

becomes("torchvision.io.read_file", paddle.vision.ops.read_file)

alias("torchvision.io.ImageReadMode.UNCHANGED", "'UNCHANGED'")
alias("torchvision.io.ImageReadMode.GRAY", "'GRAY'")
alias("torchvision.io.ImageReadMode.GRAY_ALPHA", "'GRAY_ALPHA'")
alias("torchvision.io.ImageReadMode.RGB", "'RGB'")
alias("torchvision.io.ImageReadMode.RGB_ALPHA", "'RGB_ALPHA'")


@rule("torchvision.io.ImageReadMode")
def ImageReadMode(value):
    return str(value)


def image_of(source, mode, exif):
    """Pixels with the channels first."""
    from PIL import ImageOps

    image = Image.open(source)
    image = ImageOps.exif_transpose(image) if exif else image
    modes = {"GRAY": "L", "GRAY_ALPHA": "LA", "RGB": "RGB", "RGB_ALPHA": "RGBA"}
    if mode in modes:
        image = image.convert(modes[mode])
    elif image.mode == "P":
        image = image.convert("RGB")
    pixels = numpy.array(image)
    return paddle.to_tensor(pixels[None] if pixels.ndim == 2 else pixels.transpose(2, 0, 1))


@rule("torchvision.io.read_image")
def read_image(path, mode="UNCHANGED", apply_exif_orientation=False):
    return image_of(path, mode, apply_exif_orientation)


@rule("torchvision.io.decode_image")
def decode_image(input, mode="UNCHANGED", apply_exif_orientation=False):
    # a path, or the bytes of a file
    source = io.BytesIO(input.numpy().tobytes()) if isinstance(input, paddle.Tensor) else input
    return image_of(source, mode, apply_exif_orientation)


@rule("torchvision.io.decode_jpeg")
def decode_jpeg(input, mode="UNCHANGED", device="cpu", apply_exif_orientation=False):
    return image_of(io.BytesIO(input.numpy().tobytes()), mode, apply_exif_orientation)


@rule("torchvision.io.decode_png")
def decode_png(input, mode="UNCHANGED", apply_exif_orientation=False):
    return image_of(io.BytesIO(input.numpy().tobytes()), mode, apply_exif_orientation)


@rule("torchvision.io.decode_webp", "torchvision.io.decode_avif")
def decode_webp(input, mode="UNCHANGED"):
    return image_of(io.BytesIO(input.numpy().tobytes()), mode, False)


@rule("torchvision.io.decode_gif")
def decode_gif(input):
    from PIL import ImageSequence

    image = Image.open(io.BytesIO(input.numpy().tobytes()))
    frames = [numpy.array(frame.convert("RGB")).transpose(2, 0, 1) for frame in ImageSequence.Iterator(image)]
    return paddle.to_tensor(numpy.stack(frames) if len(frames) > 1 else frames[0])


@rule("torchvision.io.write_file")
def write_file(filename, data):
    with open(filename, "wb") as file:
        file.write(data.numpy().tobytes())


def picture_of(input):
    pixels = input.numpy()
    return Image.fromarray(pixels[0] if pixels.shape[0] == 1 else pixels.transpose([1, 2, 0]))


@rule("torchvision.io.write_jpeg")
def write_jpeg(input, filename, quality=75):
    picture_of(input).save(filename, format="JPEG", quality=quality)


@rule("torchvision.io.write_png")
def write_png(input, filename, compression_level=6):
    picture_of(input).save(filename, format="PNG", compress_level=compression_level)


@rule("torchvision.io.encode_jpeg")
def encode_jpeg(input, quality=75):
    buffer = io.BytesIO()
    picture_of(input).save(buffer, format="JPEG", quality=quality)
    return paddle.to_tensor(numpy.frombuffer(buffer.getvalue(), dtype="uint8"))


@rule("torchvision.io.encode_png")
def encode_png(input, compression_level=6):
    buffer = io.BytesIO()
    picture_of(input).save(buffer, format="PNG", compress_level=compression_level)
    return paddle.to_tensor(numpy.frombuffer(buffer.getvalue(), dtype="uint8"))
