"""torchvision.utils."""

import math

import numpy
import paddle
from PIL import Image, ImageColor, ImageDraw

from rewriters.rule import rule


@rule("torchvision.utils.make_grid")
def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    images = paddle.stack(list(tensor)) if isinstance(tensor, (list, tuple)) else tensor
    images = images.reshape([1] * (4 - images.ndim) + list(images.shape))
    if images.shape[1] == 1:
        images = images.tile([1, 3, 1, 1])
    if normalize:
        axes = [1, 2, 3] if scale_each else None
        if value_range is None:
            low, high = images.min(axis=axes, keepdim=True), images.max(axis=axes, keepdim=True)
        else:
            low, high = (paddle.full([1, 1, 1, 1], float(bound)) for bound in value_range)
        images = (paddle.minimum(paddle.maximum(images, low), high) - low) / (high - low).clip(min=1e-5)
    count, channels, height, width = images.shape
    columns = min(nrow, count)
    rows = math.ceil(count / columns)
    height, width = height + padding, width + padding
    grid = paddle.full([channels, height * rows + padding, width * columns + padding], pad_value, dtype=images.dtype)
    for index in range(count):
        top, left = (index // columns) * height + padding, (index % columns) * width + padding
        grid[:, top : top + height - padding, left : left + width - padding] = images[index]
    return grid


@rule("torchvision.utils.save_image")
def save_image(tensor, fp, format=None, **options):
    grid = make_grid(tensor, **options)
    pixels = (grid * 255 + 0.5).clip(0, 255).astype("uint8").transpose([1, 2, 0]).numpy()
    Image.fromarray(pixels).save(fp, format=format)


def colours(colors, count):
    """One colour for each: a name, a tuple, or a list of them; a walk through the hues where none is given."""
    if colors is None:
        colors = [f"hsl({360 * number // max(count, 1)}, 100%, 50%)" for number in range(count)]
    colors = colors if isinstance(colors, list) else [colors] * count
    if len(colors) < count:
        raise ValueError(f"{len(colors)} colors for {count}")
    return [ImageColor.getrgb(color) if isinstance(color, str) else tuple(color) for color in colors]


def as_picture(image):
    pixels = image if image.dtype == paddle.uint8 else (image * 255).astype("uint8")
    return Image.fromarray(pixels.expand([3, *pixels.shape[1:]]).numpy().transpose([1, 2, 0]))


def of_picture(picture, like):
    pixels = paddle.to_tensor(numpy.array(picture).transpose([2, 0, 1]))
    return pixels if like.dtype == paddle.uint8 else pixels.astype(like.dtype) / 255


@rule("torchvision.utils.draw_bounding_boxes")
def draw_bounding_boxes(
    image,
    boxes,
    labels=None,
    colors=None,
    fill=False,
    width=1,
    font=None,
    font_size=None,
    label_colors=None,
    label_background_colors=None,
    fill_labels=False,
):
    from PIL import ImageFont

    picture = as_picture(image)
    draw = ImageDraw.Draw(picture, "RGBA" if fill else None)
    letters = ImageFont.truetype(font, font_size or 10) if font else ImageFont.load_default(font_size)
    edges = colours(colors, len(boxes))
    words = colours(label_colors, len(boxes)) if label_colors else edges
    behind = colours(label_background_colors, len(boxes)) if label_background_colors else edges
    for number, box in enumerate(boxes.astype("int64").tolist()):
        inside = (*edges[number], 100) if fill else None
        draw.rectangle(box, width=width, outline=edges[number], fill=inside)
        if labels is not None and labels[number] is not None:
            place = (box[0] + width + 1, box[1] + width + 1)
            if fill_labels:
                draw.rectangle(draw.textbbox(place, labels[number], font=letters), fill=behind[number])
            draw.text(place, labels[number], fill=words[number], font=letters)
    return of_picture(picture, image)


@rule("torchvision.utils.draw_segmentation_masks")
def draw_segmentation_masks(image, masks, alpha=0.8, colors=None):
    masks = masks.unsqueeze(0) if masks.ndim == 2 else masks
    scale = 1 if image.dtype == paddle.uint8 else 255
    shown = image.astype("float32")
    # black where masks overlap
    paint = paddle.where(masks.astype("int32").sum(axis=0) > 0, paddle.zeros_like(shown), shown)
    alone = masks.astype("float32") * (masks.astype("int32").sum(axis=0) == 1).astype("float32")
    for mask, color in zip(alone, colours(colors, len(masks)), strict=True):
        paint = paint + mask * paddle.to_tensor(color, dtype="float32").reshape([3, 1, 1]) / scale
    return (shown * (1 - alpha) + paint * alpha).astype(image.dtype)


@rule("torchvision.utils.draw_keypoints")
def draw_keypoints(image, keypoints, connectivity=None, colors=None, radius=2, width=3, visibility=None):
    picture = as_picture(image)
    draw = ImageDraw.Draw(picture)
    color = "red" if colors is None else colors
    seen = None if visibility is None else visibility.reshape(keypoints.shape[:2]).astype("bool").tolist()
    for person, points in enumerate(keypoints.astype("int64").tolist()):
        visible = [True] * len(points) if seen is None else seen[person]
        fill = colours(color, len(keypoints))[person]
        for (x, y), shown in zip(points, visible, strict=True):
            if shown:
                draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=fill)
        for start, end in connectivity or ():
            if visible[start] and visible[end]:
                draw.line([*points[start], *points[end]], width=width)
    return of_picture(picture, image)


def colour_wheel():
    """Hues around the circle of directions, 55 of them, from Baker et al."""
    steps = [(15, 0, 1, 1), (6, 1, 0, -1), (4, 1, 2, 1), (11, 2, 1, -1), (13, 2, 0, 1), (6, 0, 2, -1)]
    wheel = []
    for count, full, moving, way in steps:
        ramp = numpy.floor(255 * numpy.arange(count) / count)
        part = numpy.zeros([count, 3])
        part[:, full], part[:, moving] = 255, ramp if way > 0 else 255 - ramp
        wheel.append(part)
    return paddle.to_tensor(numpy.concatenate(wheel), dtype="float32")


@rule("torchvision.utils.flow_to_image")
def flow_to_image(flow):
    if flow.ndim == 3:
        return flow_to_image(flow.unsqueeze(0))[0]
    length = (flow**2).sum(axis=1).sqrt()
    flow = flow / (length.max() + 1e-7)
    length = (flow**2).sum(axis=1).sqrt()
    wheel = colour_wheel()
    place = (paddle.atan2(-flow[:, 1], -flow[:, 0]) / math.pi + 1) / 2 * (len(wheel) - 1)
    lower = paddle.floor(place).astype("int64")
    share = (place - lower.astype("float32")).unsqueeze(-1)
    color = (1 - share) * wheel[lower] / 255 + share * wheel[(lower + 1) % len(wheel)] / 255
    color = 1 - length.unsqueeze(-1) * (1 - color)
    return paddle.floor(255 * color).astype("uint8").transpose([0, 3, 1, 2])
