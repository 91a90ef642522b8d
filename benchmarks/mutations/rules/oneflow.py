"""Names that the variants use, which are the same in OneFlow, and for which OneFlow's own rules have nothing yet."""

import oneflow
import torch

from rewriters.rule import rule, same

same(
    "torch.nn.functional.linear", "torch.nn.functional.batch_norm", "torch.nn.functional.log_softmax",
    "torch.nn.functional.layer_norm", "torch.nn.functional.pad", "torch.nn.functional.max_pool2d",
    "torch.einsum", "torch.logsumexp", "torch.nn.AvgPool2d", "torch.nn.AdaptiveMaxPool2d",
    "torch.Tensor.clamp", "torch.Tensor.roll", "torch.Tensor.amax", "torch.Tensor.gather",
)  # fmt: skip


@rule(torch.conv2d)
def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return oneflow.nn.functional.conv2d(input, weight, bias, stride, padding, dilation, groups)
