"""The ResNet written otherwise: the same mathematics in another order of arithmetic."""

# ruff: noqa: E501 - a rewriting a line, where it fits one

from benchmarks.mutations.resnet_faults import (  # fmt: skip
    AVERAGE,
    BASIC,
    JOIN,
    LEAVE,
    LINEAR,
    MODEL,
    NORM,
    POOL,
    RECIPE,
    STEM,
)
from benchmarks.mutations.variant import RESNET, Variant

FUNCTIONS = "import torch.nn.functional as F"
KEEP = (
    "        if self.training:\n            return super().forward(x)\n"  # its running averages are the module's work
)


def rewrite(name: str, *edits: tuple[str, str], file: str = MODEL, added: str = "") -> Variant:
    return Variant(name, file, edits, added=added, fixture=RESNET)


def layer(name: str, constructed: str, base: str, body: str, inside: str = "") -> Variant:
    """A module whose forward is replaced: everything that is called keeps its name."""
    code = f"{FUNCTIONS}\n\n\nclass Other{base}(nn.{base}):\n    def forward(self, x):\n{body}\n"
    # Not inplace: the converter drops that for torch's own class alone, and Paddle's has no such thing.
    changed = constructed.replace(f"nn.{base}(", f"Other{base}(").replace("inplace=True", "")
    return rewrite(
        name, (inside, inside.replace(constructed, changed)) if inside else (constructed, changed), added=code
    )


def normed(formula: str) -> str:
    shaped = "        w, b, m, v = (t.reshape(1, -1, 1, 1) for t in (self.weight, self.bias, self.running_mean, self.running_var))\n"
    return f"{KEEP}{shaped}        return {formula}"


REWRITES = [
    layer("BatchNorm from its formula", NORM, "BatchNorm2d", normed("(x - m) / torch.sqrt(v + 1e-5) * w + b")),
    layer("BatchNorm as scale and shift", NORM, "BatchNorm2d", normed("x * (w / torch.sqrt(v + 1e-5)) + (b - m * w / torch.sqrt(v + 1e-5))")),
    layer("BatchNorm with rsqrt", NORM, "BatchNorm2d", normed("(x - m) * (torch.rsqrt(v + 1e-5) * w) + b")),
    layer("BatchNorm in double precision", NORM, "BatchNorm2d", normed("((x.double() - m.double()) / torch.sqrt(v.double() + 1e-5) * w.double() + b.double()).float()")),
    layer("ReLU as a clamp", "self.relu = nn.ReLU(inplace=True)", "ReLU", "        return x.clamp(min=0)", BASIC),
    layer("ReLU as a product with its sign", "self.relu = nn.ReLU(inplace=True)", "ReLU", "        return x * (x > 0).float()", BASIC),
    layer("ReLU from the absolute value", "self.relu = nn.ReLU(inplace=True)", "ReLU", "        return 0.5 * (x + x.abs())", BASIC),
    layer("padding before the convolution", STEM, "Conv2d", "        return F.conv2d(F.pad(x, (3, 3, 3, 3)), self.weight, None, 2)"),
    layer("convolution as a product of patches", STEM, "Conv2d", "        n, _, height, width = x.shape\n        patches = F.unfold(x, 7, padding=3, stride=2)\n        return (self.weight.reshape(8, -1) @ patches).reshape(n, 8, height // 2, width // 2)"),
    layer("convolution channel by channel", STEM, "Conv2d", "        parts = [F.conv2d(x[:, i : i + 1], self.weight[:, i : i + 1], None, 2, 3) for i in range(3)]\n        return parts[2] + parts[1] + parts[0]"),
    layer("convolution in two groups of filters", STEM, "Conv2d", "        return torch.cat([F.conv2d(x, self.weight[:4], None, 2, 3), F.conv2d(x, self.weight[4:], None, 2, 3)], dim=1)"),
    layer("convolution in double precision", STEM, "Conv2d", "        return F.conv2d(x.double(), self.weight.double(), None, 2, 3).float()"),
    layer("convolution image by image", STEM, "Conv2d", "        return torch.cat([F.conv2d(x[i : i + 1], self.weight, None, 2, 3) for i in range(x.shape[0])], dim=0)"),
    layer("1x1 convolution as a product", "return nn.Conv2d(in_planes, out_planes, kernel_size=1, stride=stride, bias=False)", "Conv2d", '        step = 2  # of every shortcut that has one\n        return torch.einsum("oi,nihw->nohw", self.weight[:, :, 0, 0], x[:, :, ::step, ::step])'),
    layer("max pooling of padded images", POOL, "MaxPool2d", '        return F.max_pool2d(F.pad(x, (1, 1, 1, 1), value=float("-inf")), 3, 2)'),
    layer("average pooling as a mean", AVERAGE, "AdaptiveAvgPool2d", "        return x.mean((2, 3), keepdim=True)"),
    layer("average pooling as a sum", AVERAGE, "AdaptiveAvgPool2d", "        return x.sum((2, 3), keepdim=True) / (x.shape[2] * x.shape[3])"),
    rewrite("shortcut added the other way round", (JOIN, JOIN.replace("out += identity", "out = identity + out"))),
    rewrite("shortcut halved twice", (JOIN, JOIN.replace("out += identity\n        return self.relu(out)", "return self.relu(2.0 * (0.5 * out + 0.5 * identity))"))),
    rewrite("features by reshape", (LEAVE, LEAVE.replace("torch.flatten(x, 1)", "x.reshape(x.shape[0], -1)"))),
    layer("last product in two halves", LINEAR, "Linear", "        none = torch.zeros_like(x[:, :32])\n        first = super().forward(torch.cat([x[:, :32], none], dim=1))\n        return first + (super().forward(torch.cat([none, x[:, 32:]], dim=1)) - self.bias)"),
    rewrite("loss from log_softmax", ("return F.cross_entropy(logits, targets)", "return -F.log_softmax(logits, dim=1).gather(1, targets.unsqueeze(1)).mean()"), file=RECIPE),
    rewrite("loss summed, then divided", ("F.cross_entropy(logits, targets)", 'F.cross_entropy(logits, targets, reduction="sum") / logits.shape[0]'), file=RECIPE),
]  # fmt: skip
