"""torchvision.ops, torchvision.utils, torchvision.io."""

import math

import numpy
import paddle
from PIL import Image

from rewriters.rule import rule


@rule("torchvision.ops.nms")
def nms(boxes, scores, iou_threshold):
    return paddle.vision.ops.nms(boxes, iou_threshold, scores)


@rule("torchvision.ops.batched_nms")
def batched_nms(boxes, scores, idxs, iou_threshold):
    # boxes of one class are moved away from those of the others
    return paddle.vision.ops.nms(
        boxes + (idxs.astype(boxes.dtype) * (boxes.max() + 1)).unsqueeze(1), iou_threshold, scores
    )


@rule("torchvision.ops.box_area")
def box_area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def overlap_and_union(boxes1, boxes2):
    low = paddle.maximum(boxes1[:, None, :2], boxes2[:, :2])
    high = paddle.minimum(boxes1[:, None, 2:], boxes2[:, 2:])
    size = (high - low).clip(min=0)
    overlap = size[:, :, 0] * size[:, :, 1]
    return overlap, box_area(boxes1)[:, None] + box_area(boxes2) - overlap


@rule("torchvision.ops.box_iou")
def box_iou(boxes1, boxes2):
    overlap, union = overlap_and_union(boxes1, boxes2)
    return overlap / union


@rule("torchvision.ops.generalized_box_iou")
def generalized_box_iou(boxes1, boxes2):
    overlap, union = overlap_and_union(boxes1, boxes2)
    low = paddle.minimum(boxes1[:, None, :2], boxes2[:, :2])
    high = paddle.maximum(boxes1[:, None, 2:], boxes2[:, 2:])
    size = (high - low).clip(min=0)
    hull = size[:, :, 0] * size[:, :, 1]
    return overlap / union - (hull - union) / hull


@rule("torchvision.ops.box_convert")
def box_convert(boxes, in_fmt, out_fmt):
    a, b, c, d = boxes.unbind(-1)
    if in_fmt == "cxcywh":
        a, b, c, d = a - c / 2, b - d / 2, a + c / 2, b + d / 2
    elif in_fmt == "xywh":
        c, d = a + c, b + d
    if out_fmt == "cxcywh":
        a, b, c, d = (a + c) / 2, (b + d) / 2, c - a, d - b
    elif out_fmt == "xywh":
        c, d = c - a, d - b
    return paddle.stack([a, b, c, d], axis=-1)


@rule("torchvision.ops.clip_boxes_to_image")
def clip_boxes_to_image(boxes, size):
    height, width = size
    x, y = boxes[..., 0::2].clip(0, width), boxes[..., 1::2].clip(0, height)
    return paddle.stack([x, y], axis=-1).reshape(boxes.shape)


@rule("torchvision.ops.remove_small_boxes")
def remove_small_boxes(boxes, min_size):
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    return paddle.nonzero((width >= min_size) & (height >= min_size)).flatten()


def boxes_and_counts(boxes, batch):
    """torch gives a list of one tensor per image, or one tensor whose first column is the image's number."""
    if isinstance(boxes, (list, tuple)):
        counts = [box.shape[0] for box in boxes]
        return paddle.concat(list(boxes)), paddle.to_tensor(counts, dtype="int32")
    order = paddle.argsort(boxes[:, 0])
    counts = [(boxes[:, 0] == number).astype("int32").sum().item() for number in range(batch)]
    return boxes[order][:, 1:], paddle.to_tensor(counts, dtype="int32")


@rule("torchvision.ops.roi_align")
def roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
    found, counts = boxes_and_counts(boxes, input.shape[0])
    return paddle.vision.ops.roi_align(
        input, found, counts, output_size, spatial_scale=spatial_scale, sampling_ratio=sampling_ratio, aligned=aligned
    )


@rule("torchvision.ops.roi_pool")
def roi_pool(input, boxes, output_size, spatial_scale=1.0):
    found, counts = boxes_and_counts(boxes, input.shape[0])
    return paddle.vision.ops.roi_pool(input, found, counts, output_size, spatial_scale=spatial_scale)


@rule("torchvision.ops.deform_conv2d")
def deform_conv2d(input, offset, weight, bias=None, stride=1, padding=0, dilation=1, mask=None):
    groups = input.shape[1] // weight.shape[1]
    offset_groups = offset.shape[1] // (2 * weight.shape[2] * weight.shape[3])
    return paddle.vision.ops.deform_conv2d(
        input,
        offset,
        weight,
        bias=bias,
        stride=stride,
        padding=padding,
        dilation=dilation,
        deformable_groups=offset_groups,
        groups=groups,
        mask=mask,
    )


@rule("torchvision.ops.sigmoid_focal_loss")
def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2, reduction="none"):
    return paddle.nn.functional.sigmoid_focal_loss(inputs, targets, alpha=alpha, gamma=gamma, reduction=reduction)


@rule("torchvision.ops.FrozenBatchNorm2d")
class FrozenBatchNorm2d(paddle.nn.Layer):
    """Statistics, weight and bias are fixed."""

    def __init__(self, num_features, eps=1e-05):
        super().__init__()
        self.eps = eps
        for name, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, paddle.full([num_features], value))

    def forward(self, x):
        scale = self.weight * (self.running_var + self.eps).rsqrt()
        shift = self.bias - self.running_mean * scale
        return x * scale.reshape([1, -1, 1, 1]) + shift.reshape([1, -1, 1, 1])


def dropped_rows(x, p, mode, training):
    if not training or p == 0.0:
        return x
    shape = [x.shape[0] if mode == "row" else 1] + [1] * (x.ndim - 1)
    return x * paddle.bernoulli(paddle.full(shape, 1.0 - p, dtype=x.dtype)) / (1.0 - p)


@rule("torchvision.ops.stochastic_depth")
def stochastic_depth(input, p, mode, training=True):
    return dropped_rows(input, p, mode, training)


@rule("torchvision.ops.StochasticDepth")
class StochasticDepth(paddle.nn.Layer):
    def __init__(self, p, mode):
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, x):
        return dropped_rows(x, self.p, self.mode, self.training)


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


@rule("torchvision.io.read_image")
def read_image(path):
    pixels = numpy.array(Image.open(path))
    return paddle.to_tensor(pixels[None] if pixels.ndim == 2 else pixels.transpose(2, 0, 1))
