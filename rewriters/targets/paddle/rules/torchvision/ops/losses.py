"""torchvision.ops: overlaps of boxes that count their distance and shape, and the losses made of them."""

import math

import paddle

from rewriters.rule import rule


def sides(boxes):
    return boxes[..., 2] - boxes[..., 0], boxes[..., 3] - boxes[..., 1]


def overlap_of(boxes1, boxes2, eps):
    """Of boxes whose shapes broadcast: intersection over union, the union, and the smallest box around both."""
    low = paddle.maximum(boxes1[..., :2], boxes2[..., :2])
    high = paddle.minimum(boxes1[..., 2:], boxes2[..., 2:])
    shared = (high - low).clip(min=0).prod(axis=-1)
    (width1, height1), (width2, height2) = sides(boxes1), sides(boxes2)
    union = width1 * height1 + width2 * height2 - shared
    low = paddle.minimum(boxes1[..., :2], boxes2[..., :2])
    high = paddle.maximum(boxes1[..., 2:], boxes2[..., 2:])
    return shared / (union + eps), union, high - low


def distance_iou(boxes1, boxes2, eps):
    """The overlap, less the centers' distance in units of the diagonal around both; and the overlap alone."""
    iou, _, around = overlap_of(boxes1, boxes2, eps)
    apart = (boxes1[..., :2] + boxes1[..., 2:] - boxes2[..., :2] - boxes2[..., 2:]) / 2
    return iou - (apart**2).sum(axis=-1) / ((around**2).sum(axis=-1) + eps), iou


def complete_iou(boxes1, boxes2, eps):
    """The same, less what the sides' proportions differ by."""
    distance, iou = distance_iou(boxes1, boxes2, eps)
    (width1, height1), (width2, height2) = sides(boxes1), sides(boxes2)
    turned = (4 / math.pi**2) * (paddle.atan(width2 / height2) - paddle.atan(width1 / height1)) ** 2
    with paddle.no_grad():
        share = turned / (1 - iou + turned + eps)
    return distance - share * turned


def reduced(loss, reduction):
    if reduction == "mean":
        return loss.mean() if loss.size else 0.0 * loss.sum()
    return loss.sum() if reduction == "sum" else loss


@rule("torchvision.ops.distance_box_iou")
def distance_box_iou(boxes1, boxes2, eps=1e-07):
    return distance_iou(boxes1[:, None], boxes2, eps)[0]


@rule("torchvision.ops.complete_box_iou")
def complete_box_iou(boxes1, boxes2, eps=1e-07):
    return complete_iou(boxes1[:, None], boxes2, eps)


@rule("torchvision.ops.generalized_box_iou_loss")
def generalized_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-07):
    iou, union, around = overlap_of(boxes1, boxes2, eps)
    hull = around[..., 0] * around[..., 1]
    return reduced(1 - iou + (hull - union) / (hull + eps), reduction)


@rule("torchvision.ops.distance_box_iou_loss")
def distance_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-07):
    return reduced(1 - distance_iou(boxes1, boxes2, eps)[0], reduction)


@rule("torchvision.ops.complete_box_iou_loss")
def complete_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-07):
    return reduced(1 - complete_iou(boxes1, boxes2, eps), reduction)
