"""Faults in the ResNet, and in how it is trained."""

# ruff: noqa: E501 - a fault a line

from benchmarks.mutations.variant import RESNET, Variant

MODEL, RECIPE = "models/resnet.py", "recipe.py"
FORWARD, BACKWARD, TRAINING = "activations", "gradients", "steps"
BLOCK = ("layer1.0",)

STEM = "self.conv1 = nn.Conv2d(3, self.inplanes, kernel_size=7, stride=2, padding=3, bias=False)"
NORM = "self.bn1 = nn.BatchNorm2d(self.inplanes)"
POOL = "self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)"
AVERAGE = "self.avgpool = nn.AdaptiveAvgPool2d((1, 1))"
LINEAR = "self.fc = nn.Linear(64 * block.expansion, num_classes)"
ENTER = "x = self.conv1(x)\n        x = self.bn1(x)\n        x = self.relu(x)\n"
INNER = "out = self.conv1(x)\n        out = self.bn1(out)\n        out = self.relu(out)\n"
OUTER = "out = self.conv2(out)\n        out = self.bn2(out)\n\n"
LEAVE = "x = torch.flatten(x, 1)\n        return self.fc(x)"
BASIC = "        self.conv1 = conv3x3(inplanes, planes, stride)\n        self.bn1 = nn.BatchNorm2d(planes)\n        self.relu = nn.ReLU(inplace=True)\n        self.conv2 = conv3x3(planes, planes)\n        self.bn2 = nn.BatchNorm2d(planes)\n"
JOIN = (
    OUTER
    + "        if self.downsample is not None:\n            identity = self.downsample(x)\n\n        out += identity\n        return self.relu(out)\n"
)
OPTIMIZER = "optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-3)"


def fault(
    name: str, old: str, new: str, level: str, layers: tuple[str, ...], file: str = MODEL, added: str = ""
) -> Variant:
    return Variant(name, file, ((old, new),), level, layers, added, RESNET)


def basic(name: str, old: str, new: str, level: str, layers: tuple[str, ...]) -> Variant:
    """In the constructor of BasicBlock, whose lines Bottleneck has as well."""
    return fault(name, BASIC, BASIC.replace(old, new), level, layers)


FAULTS = [
    fault("BatchNorm eps 1e-6 for 1e-5", NORM, NORM.replace("self.inplanes)", "self.inplanes, eps=1e-6)"), FORWARD, ("bn1",)),
    basic("BatchNorm eps 1e-3 for 1e-5", "self.bn2 = nn.BatchNorm2d(planes)", "self.bn2 = nn.BatchNorm2d(planes, eps=1e-3)", FORWARD, ("layer1.0.bn2",)),
    fault("BatchNorm left in train mode", ENTER, ENTER.replace("self.bn1(x)", "F.batch_norm(x, None, None, self.bn1.weight, self.bn1.bias, True)"), FORWARD, ("",), added="import torch.nn.functional as F"),
    fault("padding off by one", STEM, STEM.replace("padding=3", "padding=4"), FORWARD, ("conv1",)),
    fault("stride on the second convolution", BASIC, BASIC.replace("inplanes, planes, stride", "inplanes, planes").replace("conv3x3(planes, planes)", "conv3x3(planes, planes, stride)"), FORWARD, ("layer2.0.conv1",)),
    basic("dilated convolution", "self.conv2 = conv3x3(planes, planes)", "self.conv2 = conv3x3(planes, planes, dilation=2)", FORWARD, ("layer1.0.conv2",)),
    fault("average in place of max pooling", POOL, "self.maxpool = nn.AvgPool2d(kernel_size=3, stride=2, padding=1)", FORWARD, ("maxpool",)),
    fault("pooling window 2 for 3", POOL, POOL.replace("kernel_size=3", "kernel_size=2").replace("padding=1", "padding=0"), FORWARD, ("maxpool",)),
    fault("max in place of average pooling", AVERAGE, "self.avgpool = nn.AdaptiveMaxPool2d((1, 1))", FORWARD, ("avgpool",)),
    basic("leaky ReLU", "nn.ReLU(inplace=True)", "nn.LeakyReLU(0.01)", FORWARD, ("layer1.0.relu",)),
    basic("GELU for ReLU", "nn.ReLU(inplace=True)", "nn.GELU()", FORWARD, ("layer1.0.relu",)),
    fault("norm after the activation", ENTER, "x = self.conv1(x)\n        x = self.relu(x)\n        x = self.bn1(x)\n", FORWARD, ("",)),
    fault("no shortcut", JOIN, JOIN.replace("        out += identity\n", ""), FORWARD, BLOCK),
    fault("shortcut after the activation", JOIN, JOIN.replace("        out += identity\n        return self.relu(out)", "        return self.relu(out) + identity"), FORWARD, BLOCK),
    fault("shortcut halved", JOIN, JOIN.replace("out += identity", "out += 0.5 * identity"), FORWARD, BLOCK),
    fault("a block's second norm left out", JOIN, JOIN.replace("out = self.bn2(out)", "out = out"), FORWARD, BLOCK),
    fault("image channels reversed", ENTER, ENTER.replace("self.conv1(x)", "self.conv1(x.flip(1))"), FORWARD, ("",)),
    fault("height and width swapped", ENTER, ENTER.replace("self.conv1(x)", "self.conv1(x.transpose(2, 3))"), FORWARD, ("",)),
    fault("bias dropped", LINEAR, LINEAR.replace("num_classes)", "num_classes, bias=False)"), FORWARD, ("fc",)),
    fault("softmax in the model", LEAVE, LEAVE.replace("self.fc(x)", "torch.softmax(self.fc(x), dim=1)"), FORWARD, ("",)),
    fault("features through half precision", LEAVE, LEAVE.replace("self.fc(x)", "self.fc(x.half().float())"), FORWARD, ("",)),
    fault("result in double precision", LEAVE, LEAVE.replace("self.fc(x)", "self.fc(x).double()"), FORWARD, ("",)),
    fault("clipped activations", ENTER, ENTER.replace("self.relu(x)", "self.relu(x).clamp(max=2.0)"), FORWARD, ("",)),
    fault("gradient detached in the shortcut", JOIN, JOIN.replace("out += identity", "out += identity.detach()"), BACKWARD, ("",)),
    fault("gradient detached behind the stem", ENTER, ENTER.replace("self.relu(x)", "self.relu(x.detach())"), BACKWARD, ("conv1", "bn1")),
    fault("momentum convention of BatchNorm", NORM, NORM.replace("self.inplanes)", "self.inplanes, momentum=0.9)"), TRAINING, ("bn1.running_mean", "bn1.running_var")),
    fault("Nesterov momentum", OPTIMIZER, OPTIMIZER.replace("momentum=0.9", "momentum=0.9, nesterov=True"), TRAINING, ("",), RECIPE),
    fault("momentum 0.8 for 0.9", OPTIMIZER, OPTIMIZER.replace("momentum=0.9", "momentum=0.8"), TRAINING, ("",), RECIPE),
    fault("weight decay 1e-4 for 1e-3", OPTIMIZER, OPTIMIZER.replace("weight_decay=1e-3", "weight_decay=1e-4"), TRAINING, ("",), RECIPE),
    fault("no weight decay", OPTIMIZER, OPTIMIZER.replace(", weight_decay=1e-3", ""), TRAINING, ("",), RECIPE),
    fault("learning rate 1e-2 for 2e-2", OPTIMIZER, OPTIMIZER.replace("lr=0.02", "lr=0.01"), TRAINING, ("",), RECIPE),
    fault("milestone off by one", "milestones=[2]", "milestones=[3]", TRAINING, ("",), RECIPE),
    fault("rate drops to a half, not a tenth", "gamma=0.1", "gamma=0.5", TRAINING, ("",), RECIPE),
    fault("loss summed, not averaged", "F.cross_entropy(logits, targets)", 'F.cross_entropy(logits, targets, reduction="sum")', TRAINING, ("loss",), RECIPE),
    fault("label smoothing of 0.1", "return F.cross_entropy(logits, targets)", "smooth = -F.log_softmax(logits, dim=1).mean()\n    return 0.9 * F.cross_entropy(logits, targets) + 0.1 * smooth", TRAINING, ("loss",), RECIPE),
    fault("loss of softmaxed logits", "F.cross_entropy(logits, targets)", "F.cross_entropy(F.softmax(logits, dim=1), targets)", TRAINING, ("loss",), RECIPE),
]  # fmt: skip
