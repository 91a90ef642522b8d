"""torchvision.ops: features of several sizes."""

import collections
import math

import paddle

from rewriters.rule import rule


@rule("torchvision.models.detection.backbone_utils.ExtraFPNBlock")
class ExtraFPNBlock(paddle.nn.Layer):
    """What adds levels to a pyramid: forward(results, x, names) gives results and names."""

    def forward(self, results, x, names):
        raise NotImplementedError


@rule("torchvision.models.detection.backbone_utils.LastLevelMaxPool")
class LastLevelMaxPool(paddle.nn.Layer):
    def forward(self, x, y, names):
        return [*x, x[-1][:, :, ::2, ::2]], [*names, "pool"]


@rule("torchvision.models.detection.fcos.LastLevelP6P7")
class LastLevelP6P7(paddle.nn.Layer):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.p6 = paddle.nn.Conv2D(in_channels, out_channels, 3, 2, 1)
        self.p7 = paddle.nn.Conv2D(out_channels, out_channels, 3, 2, 1)
        self.use_P5 = in_channels == out_channels

    def forward(self, p, c, names):
        p6 = self.p6(p[-1] if self.use_P5 else c[-1])
        return [*p, p6, self.p7(paddle.nn.functional.relu(p6))], [*names, "p6", "p7"]


def normed_convolution(in_channels, out_channels, size, norm_layer):
    convolution = paddle.nn.Conv2D(
        in_channels, out_channels, size, padding=size // 2, bias_attr=None if norm_layer is None else False
    )
    return paddle.nn.Sequential(convolution, *([] if norm_layer is None else [norm_layer(out_channels)]))


@rule("torchvision.ops.FeaturePyramidNetwork")
class FeaturePyramidNetwork(paddle.nn.Layer):
    """Each level gets the coarser ones, enlarged and added."""

    def __init__(self, in_channels_list, out_channels, extra_blocks=None, norm_layer=None):
        super().__init__()
        self.inner_blocks = paddle.nn.LayerList(
            [normed_convolution(channels, out_channels, 1, norm_layer) for channels in in_channels_list]
        )
        self.layer_blocks = paddle.nn.LayerList(
            [normed_convolution(out_channels, out_channels, 3, norm_layer) for _ in in_channels_list]
        )
        self.extra_blocks = extra_blocks

    def forward(self, x):
        names, levels = list(x), list(x.values())
        results, above = [], None
        for index in reversed(range(len(levels))):
            level = self.inner_blocks[index](levels[index])
            if above is not None:
                level = level + paddle.nn.functional.interpolate(above, size=level.shape[2:], mode="nearest")
            above = level
            results.insert(0, self.layer_blocks[index](level))
        if self.extra_blocks is not None:
            results, names = self.extra_blocks(results, levels, names)
        return collections.OrderedDict(zip(names, results, strict=True))


@rule("torchvision.ops.MultiScaleRoIAlign")
class MultiScaleRoIAlign(paddle.nn.Layer):
    """Each box is pooled from the level that fits its size, as in the paper on feature pyramids."""

    def __init__(self, featmap_names, output_size, sampling_ratio, *, canonical_scale=224, canonical_level=4):
        super().__init__()
        self.featmap_names, self.sampling_ratio = featmap_names, sampling_ratio
        self.output_size = (output_size, output_size) if isinstance(output_size, int) else tuple(output_size)
        self.canonical_scale, self.canonical_level = canonical_scale, canonical_level
        self.scales = None

    def forward(self, x, boxes, image_shapes):
        levels = [level for name, level in x.items() if name in self.featmap_names]
        height = max(shape[0] for shape in image_shapes)
        if self.scales is None:
            self.scales = [2.0 ** round(math.log2(level.shape[2] / height)) for level in levels]
        every = paddle.concat(list(boxes))
        image = paddle.concat([paddle.full([len(part)], number, dtype="int64") for number, part in enumerate(boxes)])
        first, last = (-math.log2(self.scales[end]) for end in (0, -1))
        area = (every[:, 2] - every[:, 0]) * (every[:, 3] - every[:, 1])
        fitting = paddle.floor(self.canonical_level + paddle.log2(area.sqrt() / self.canonical_scale) + 1e-6)
        fitting = (fitting.clip(first, last) - first).astype("int64")
        result = paddle.zeros([len(every), levels[0].shape[1], *self.output_size], dtype=levels[0].dtype)
        for number, level in enumerate(levels):
            chosen = paddle.nonzero(fitting == number).flatten()
            if chosen.size == 0:
                continue
            counts = paddle.bincount(image[chosen], minlength=len(boxes)).astype("int32")
            pooled = paddle.vision.ops.roi_align(
                level,
                every[chosen],
                counts,
                self.output_size,
                spatial_scale=self.scales[number],
                sampling_ratio=self.sampling_ratio,
                aligned=False,
            )
            result = paddle.scatter(result, chosen, pooled)
        return result
