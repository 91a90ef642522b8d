"""torchvision.ops: boxes, regions, deformable convolutions."""

import paddle

from rewriters.rule import becomes, family, rule

becomes("torchvision.ops.sigmoid_focal_loss", paddle.nn.functional.sigmoid_focal_loss)


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


@family("roi ps_roi", "paddle.vision.ops.roi_pool paddle.vision.ops.psroi_pool")
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


@rule("torchvision.ops.RoIAlign")
class RoIAlign(paddle.nn.Layer):
    def __init__(self, output_size, spatial_scale, sampling_ratio, aligned=False):
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale
        self.sampling_ratio, self.aligned = sampling_ratio, aligned

    def forward(self, input, rois):
        return roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned)


@family("RoIPool PSRoIPool", "roi_pool ps_roi_pool")
@rule("torchvision.ops.RoIPool")
class RoIPool(paddle.nn.Layer):
    def __init__(self, output_size, spatial_scale):
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale

    def forward(self, input, rois):
        return roi_pool(input, rois, self.output_size, self.spatial_scale)


@rule("torchvision.ops.ps_roi_align")
def ps_roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1):
    # each place of the output reads channels of its own
    height, width = (output_size, output_size) if isinstance(output_size, int) else output_size
    found, counts = boxes_and_counts(boxes, input.shape[0])
    pooled = paddle.vision.ops.roi_align(
        input, found, counts, (height, width), spatial_scale=spatial_scale, sampling_ratio=sampling_ratio, aligned=True
    )
    pooled = pooled.reshape([-1, input.shape[1] // (height * width), height * width, height * width])
    return paddle.diagonal(pooled, axis1=2, axis2=3).reshape([pooled.shape[0], -1, height, width])


@rule("torchvision.ops.PSRoIAlign")
class PSRoIAlign(paddle.nn.Layer):
    def __init__(self, output_size, spatial_scale, sampling_ratio):
        super().__init__()
        self.output_size, self.spatial_scale, self.sampling_ratio = output_size, spatial_scale, sampling_ratio

    def forward(self, input, rois):
        return ps_roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio)


@rule("torchvision.ops.DeformConv2d")
class DeformConv2d(paddle.nn.Layer):
    """The groups of offsets follow from the offsets' shape; Paddle's own layer asks for them."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True):
        super().__init__()
        kernel = [kernel_size, kernel_size] if isinstance(kernel_size, int) else list(kernel_size)
        self.stride, self.padding, self.dilation = stride, padding, dilation
        bound = (in_channels // groups * kernel[0] * kernel[1]) ** -0.5
        start = paddle.nn.initializer.Uniform(-bound, bound)
        self.weight = self.create_parameter([out_channels, in_channels // groups, *kernel], default_initializer=start)
        self.bias = self.create_parameter([out_channels], default_initializer=start) if bias else None

    def forward(self, input, offset, mask=None):
        return deform_conv2d(input, offset, self.weight, self.bias, self.stride, self.padding, self.dilation, mask)


@rule("torchvision.ops.masks_to_boxes")
def masks_to_boxes(masks):
    found = [paddle.nonzero(mask) for mask in masks]
    boxes = [paddle.concat([places.min(axis=0).flip([0]), places.max(axis=0).flip([0])]) for places in found]
    return paddle.stack(boxes).astype("float32") if boxes else paddle.zeros([0, 4])
