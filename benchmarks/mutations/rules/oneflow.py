"""Names that the variants use, which are the same in OneFlow, and for which OneFlow's own rules have nothing yet."""

from rewriters.rule import same

same(
    "torch.nn.functional.linear", "torch.nn.functional.batch_norm", "torch.nn.functional.log_softmax",
    "torch.nn.functional.layer_norm", "torch.nn.functional.pad", "torch.nn.functional.max_pool2d",
    "torch.conv2d", "torch.einsum", "torch.logsumexp", "torch.nn.AvgPool2d", "torch.nn.AdaptiveMaxPool2d",
    "torch.Tensor.clamp", "torch.Tensor.roll", "torch.Tensor.amax", "torch.Tensor.gather",
)  # fmt: skip
