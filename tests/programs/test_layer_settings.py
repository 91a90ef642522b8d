"""What torch's layers remember of how they were made is read as in torch: every public setting of every layer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from torch import nn

TARGETS = ("paddle", "oneflow")
LAYERS = {
    "convolutions": (
        "Conv1d(2, 4, 3)",
        "Conv1d(2, 4, 3, 2, 1, 1, 2)",
        "Conv2d(2, 4, (3, 5), stride=2, padding=(1, 2), dilation=2, groups=2, bias=False)",
        "Conv3d(2, 4, 3, stride=(1, 2, 3), padding=1)",
        "ConvTranspose1d(2, 4, 3, stride=2, padding=1, output_padding=1)",
        "ConvTranspose2d(2, 4, 3, stride=2, padding=1, output_padding=(0, 1), groups=2)",
        "ConvTranspose3d(2, 4, 3)",
    ),
    "linear": ("Identity()", "Linear(3, 2)", "Linear(3, 2, bias=False)", "Bilinear(2, 3, 4)"),
    "norms": (
        "BatchNorm1d(4)",
        "BatchNorm2d(4, eps=1e-3, momentum=0.01)",
        "BatchNorm3d(4, momentum=0.3, affine=False)",
        "InstanceNorm1d(4)",
        "InstanceNorm2d(4, affine=True, eps=1e-3)",
        "InstanceNorm3d(4)",
        "GroupNorm(2, 4)",
        "GroupNorm(2, 4, eps=1e-3, affine=False)",
        "LayerNorm(4)",
        "LayerNorm([2, 3], eps=1e-4, elementwise_affine=False)",
        "RMSNorm(4)",
        "LocalResponseNorm(3, alpha=1e-3, beta=0.5, k=2.0)",
    ),
    "embeddings": (
        "Embedding(5, 3)",
        "Embedding(5, 3, padding_idx=1)",
        "Embedding(5, 3, padding_idx=-1, max_norm=1.0)",
        "EmbeddingBag(5, 3, mode='sum')",
    ),
    "dropout": ("Dropout(0.3)", "Dropout1d(0.3)", "Dropout2d(0.2)", "Dropout3d()", "AlphaDropout(0.3)"),
    "activations": (
        "ReLU()",
        "ReLU6()",
        "LeakyReLU(0.2)",
        "PReLU(3, 0.1)",
        "RReLU(0.1, 0.3)",
        "ELU(0.5)",
        "SELU()",
        "CELU(0.5)",
        "GELU()",
        "GELU(approximate='tanh')",
        "SiLU()",
        "GLU(1)",
        "Softplus(2, 10)",
        "Hardshrink(0.3)",
        "Softshrink(0.3)",
        "Hardtanh(-2.0, 3.0)",
        "Threshold(0.1, 0.0)",
        "Softmax(1)",
        "LogSoftmax(dim=-1)",
        "Softmin(1)",
    ),
    "pools": (
        "MaxPool1d(2)",
        "MaxPool2d(3, stride=2, padding=1)",
        "MaxPool3d(2, return_indices=True)",
        "MaxUnpool1d(2)",
        "MaxUnpool2d(2, stride=(2, 1))",
        "AvgPool1d(2)",
        "AvgPool2d(3, 2, 1, count_include_pad=False)",
        "AvgPool2d(2, divisor_override=3)",
        "AvgPool3d(2)",
        "LPPool3d(2, 3)",
        "AdaptiveAvgPool1d(2)",
        "AdaptiveAvgPool2d((2, 3))",
        "AdaptiveMaxPool2d(2)",
    ),
    "shapes": (
        "ReflectionPad2d((1, 2, 0, 1))",
        "ZeroPad1d(1)",
        "ConstantPad2d((1, 1, 2, 2), 0.5)",
        "Flatten(0, 1)",
        "Unflatten(1, (2, 3))",
        "Unfold((2, 3), dilation=2, padding=1, stride=2)",
        "Fold((4, 5), (2, 2))",
        "PixelShuffle(2)",
        "PixelUnshuffle(2)",
        "ChannelShuffle(2)",
        "Upsample(size=(4, 4), mode='nearest')",
        "UpsamplingNearest2d(scale_factor=2.0)",
        "CosineSimilarity(0, eps=1e-4)",
        "PairwiseDistance(1.0, keepdim=True)",
    ),
    "recurrent": (
        "RNN(2, 3, nonlinearity='relu')",
        "LSTM(2, 3, num_layers=2, batch_first=True, bidirectional=True)",
        "GRU(2, 3)",
        "RNNCell(2, 3)",
        "LSTMCell(2, 3, bias=False)",
        "GRUCell(2, 3)",
        "MultiheadAttention(4, 2, batch_first=True)",
    ),
    "losses": (
        "L1Loss()",
        "MSELoss(reduction='sum')",
        "CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)",
        "NLLLoss()",
        "NLLLoss(ignore_index=1)",
        "BCEWithLogitsLoss()",
        "KLDivLoss(log_target=True)",
        "SmoothL1Loss(beta=0.5)",
        "HuberLoss(delta=0.5)",
        "CTCLoss(blank=1)",
        "PoissonNLLLoss(full=True)",
        "HingeEmbeddingLoss(0.5)",
        "TripletMarginLoss(margin=0.5, p=1.0)",
    ),
}
IN_PLACE = ("ReLU", "ReLU6", "LeakyReLU", "RReLU", "ELU", "SELU", "CELU", "SiLU", "Hardtanh", "Threshold")
# What the target does not keep: the line is marked.
LOST = {
    "paddle": {
        *((name, "inplace") for name in (*IN_PLACE, "Dropout2d", "Dropout3d", "AlphaDropout")),
        *((f"AvgPool{axes}d", "count_include_pad") for axes in (1, 2, 3)),
        ("Upsample", "align_corners"),
        ("UpsamplingNearest2d", "size"),
    },
    "oneflow": {
        *((f"MaxPool{n}d", name) for n in (1, 2, 3) for name in ("kernel_size", "stride", "padding", "dilation")),
        ("AdaptiveAvgPool2d", "output_size"),
    },
}


def settings(call: str) -> list[str]:
    layer = eval(f"nn.{call}", {"nn": nn})  # noqa: S307, one of those above
    kinds = (int, float, str, tuple, type(None))
    return [
        name
        for name, value in vars(layer).items()
        if not name.startswith("_") and isinstance(value, kinds) and name not in {"training", "_forward_hooks"}
    ]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("family", LAYERS)
def test_are_read(family: str, target: str, agrees: Callable[..., object]) -> None:
    lines = ["import torch", "from torch import nn"]
    for call in LAYERS[family]:
        name = call.partition("(")[0]
        kept = [setting for setting in settings(call) if (name, setting) not in LOST[target]]
        lines.append(f"layer = nn.{call}")
        lines.append(f"show({', '.join([repr(name), *(f'layer.{setting}' for setting in kept)])})")
    agrees("\n".join(lines) + "\n", target)


@pytest.mark.parametrize(
    ("target", "call", "setting"),
    [
        ("paddle", "ReLU(inplace=True)", "inplace"),
        ("paddle", "AvgPool2d(2)", "count_include_pad"),
        ("oneflow", "MaxPool2d(2)", "kernel_size"),
        ("oneflow", "AdaptiveAvgPool2d(1)", "output_size"),
    ],
)
def test_what_is_not_kept_is_marked(target: str, call: str, setting: str, announced: Callable[..., object]) -> None:
    announced(f"from torch import nn\nshow(nn.{call}.{setting})\n", target)


SET = {
    "flattened in forward": """
        import torch
        from torch import nn
        lstm = nn.LSTM(2, 3, batch_first=True)
        for p in lstm.parameters():
            nn.init.constant_(p, 0.25)
        lstm.flatten_parameters()
        show(lstm(torch.ones(2, 4, 2))[0])
    """,
    "eps and momentum": """
        import torch
        from torch import nn
        net = nn.Sequential(nn.Conv1d(2, 4, 1), nn.BatchNorm1d(4), nn.LayerNorm(3))
        for m in net.modules():
            if isinstance(m, nn.BatchNorm1d):
                m.eps = 1e-3
                m.momentum = 0.03
            elif isinstance(m, nn.LayerNorm):
                m.eps = 1e-4
        nn.init.constant_(net[0].weight, 0.5)
        nn.init.zeros_(net[0].bias)
        show(net(torch.arange(12.0).view(2, 2, 3)))
        for m in net:
            if isinstance(m, nn.BatchNorm1d):
                show(m.running_mean, m.momentum, m.eps)
    """,
    "stride and dilation": """
        import torch
        from torch import nn
        conv = nn.Conv2d(1, 1, 3, stride=2, padding=2, bias=False)
        nn.init.ones_(conv.weight)
        conv.stride = (1, 1)
        conv.dilation = (2, 2)
        show(conv(torch.arange(25.0).view(1, 1, 5, 5)), conv.stride, conv.dilation)
    """,
    "the slope": """
        import torch
        from torch import nn
        act = nn.LeakyReLU(0.1)
        act.negative_slope = 0.5
        drop = nn.Dropout(0.1)
        drop.p = 0.0
        show(act(torch.tensor([-1.0, 1.0])), act.negative_slope, drop(torch.ones(3)), drop.p)
    """,
    "in a class of its own": """
        import torch
        from torch import nn
        import torch.nn.functional as F
        class Conv2dSame(nn.Conv2d):
            def forward(self, x):
                pad = [(k - 1) * d for k, d in zip(self.kernel_size, self.dilation)]
                x = F.pad(x, [pad[1] // 2, pad[1] - pad[1] // 2, pad[0] // 2, pad[0] - pad[0] // 2])
                return F.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)
        conv = Conv2dSame(1, 2, 3, dilation=2, groups=1)
        nn.init.ones_(conv.weight)
        nn.init.zeros_(conv.bias)
        show(conv(torch.arange(16.0).view(1, 1, 4, 4)), conv.out_channels, conv.padding_mode)
    """,
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", SET)
def test_are_set(case: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(SET[case], target)


@pytest.mark.parametrize("case", ["padding_mode = 'circular'"])
def test_what_cannot_be_set_is_marked(case: str, announced: Callable[..., object]) -> None:
    program = f"import torch\nfrom torch import nn\nconv = nn.Conv2d(1, 1, 3)\nconv.{case}\nshow(conv.bias is None)\n"
    announced(program, "paddle")


def test_how_a_convolution_of_oneflow_pads_is_marked(announced: Callable[..., object]) -> None:
    announced(
        """
        import torch
        conv = torch.nn.Conv2d(1, 1, 3, padding=1, bias=False)
        conv.weight.data.fill_(1.0)
        conv.padding_mode = "circular"
        show(conv(torch.arange(9.0).view(1, 1, 3, 3)))
        """,
        "oneflow",
    )


# What a layer keeps under torch's name for those that read it is stored to as well, in classes derived from it.
OUT_FEATURES = """
import torch
import torch.nn.functional as F
from torch import nn
class Gated(nn.Linear):
    def __init__(self, given, made, bias=True):
        super().__init__(given, made * 2, bias=bias)
        self.out_features = made
    def forward(self, x):
        a, b = F.linear(x, self.weight, self.bias).chunk(2, dim=-1)
        return a * torch.sigmoid(b)
gated = Gated(3, 2)
for p in gated.parameters():
    nn.init.constant_(p, 0.5)
show(gated(torch.arange(6.0).reshape(2, 3)), gated.out_features, gated.in_features, gated.weight.shape)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_sizes_are_stored_where_they_are_read(agrees: Callable[..., object], target: str) -> None:
    agrees(OUT_FEATURES, target)


CONVOLVED = """
import torch
import torch.nn as nn
class C(nn.Conv2d):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.register_buffer("scale", torch.tensor(2.0))
    def forward(self, x):
        return self._conv_forward(x, self.weight * self.scale, self.bias)
class D(nn.Conv1d):
    def forward(self, x):
        w = self.weight - self.weight.mean(dim=(1, 2), keepdim=True)
        return self._conv_forward(x, w, self.bias)
image = torch.linspace(-1, 1, 50).view(1, 2, 5, 5)
made = [
    (C(2, 4, 3, groups=2, padding=1, stride=2), image),
    (C(2, 2, 3, padding=1, padding_mode="reflect", bias=False), image),
    (D(2, 2, 3, padding=2, dilation=2), torch.linspace(-1, 1, 16).view(1, 2, 8)),
    (C(2, 2, 3, padding="same"), image),
]
for c, x in made:
    with torch.no_grad():
        for p in c.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view_as(p))
    show(c(x))
"""


def test_layers_that_convolve_with_a_weight_of_their_own(agrees: Callable[..., object]) -> None:
    agrees(CONVOLVED, "paddle")
