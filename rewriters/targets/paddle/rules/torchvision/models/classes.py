"""torchvision.models: the classes of models that Paddle has too, their blocks and last layers."""

import paddle

from rewriters.rule import alias, becomes, rule

becomes("torchvision.models.vgg.make_layers", paddle.vision.models.vgg.make_layers, batch_norm="/")

alias("torchvision.models.resnet.BasicBlock", "paddle.vision.models.resnet.BasicBlock")
alias("torchvision.models.resnet.Bottleneck", "paddle.vision.models.resnet.BottleneckBlock")
alias("torchvision.models.quantization.resnet.BasicBlock", "paddle.vision.models.resnet.BasicBlock")
alias("torchvision.models.quantization.resnet.Bottleneck", "paddle.vision.models.resnet.BottleneckBlock")
alias("torchvision.models.AlexNet", "paddle.vision.models.AlexNet")
alias("torchvision.models.DenseNet", "paddle.vision.models.DenseNet")
alias("torchvision.models.Inception3", "paddle.vision.models.InceptionV3")
alias("torchvision.models.MobileNetV2", "paddle.vision.models.MobileNetV2")
alias("torchvision.models.ShuffleNetV2", "paddle.vision.models.ShuffleNetV2")
alias("torchvision.models.SqueezeNet", "paddle.vision.models.SqueezeNet")
alias("torchvision.models.VGG", "paddle.vision.models.VGG")


@rule("torchvision.models.ResNet")
class ResNet(paddle.vision.models.ResNet):
    """Of any numbers of blocks; Paddle's own takes a depth that it knows."""

    def __init__(
        self,
        block,
        layers,
        num_classes=1000,
        zero_init_residual=False,
        groups=1,
        width_per_group=64,
        replace_stride_with_dilation=None,
        norm_layer=None,
    ):
        if any(replace_stride_with_dilation or ()):
            raise NotImplementedError("Paddle's ResNet has strides only; dilate the convolutions of the last blocks")
        super().__init__(block, 18, width=width_per_group, num_classes=num_classes, groups=groups)
        self._norm_layer = norm_layer or paddle.nn.BatchNorm2D
        self.bn1, self.inplanes = self._norm_layer(64), 64
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], stride=2)
        self.layer3 = self._make_layer(block, 256, layers[2], stride=2)
        self.layer4 = self._make_layer(block, 512, layers[3], stride=2)
        for part in self.sublayers() if zero_init_residual else ():
            if hasattr(part, "expansion"):
                paddle.nn.init.zeros_((part.bn3 if part.expansion == 4 else part.bn2).weight)


@rule("torchvision.models.resnet.conv3x3")
def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    return paddle.nn.Conv2D(
        in_planes,
        out_planes,
        3,
        stride=stride,
        padding=dilation,
        groups=groups,
        dilation=dilation,
        bias_attr=False,
    )


@rule("torchvision.models.resnet.conv1x1")
def conv1x1(in_planes, out_planes, stride=1):
    return paddle.nn.Conv2D(in_planes, out_planes, 1, stride=stride, bias_attr=False)


@rule("torchvision.models.shufflenetv2.channel_shuffle")
def channel_shuffle(x, groups):
    return paddle.nn.functional.channel_shuffle(x, groups)


@rule("torchvision.models.DenseNet.classifier")
def DenseNet_classifier(self):
    return self.out


@rule("torchvision.models.DenseNet.classifier=")
def DenseNet_classifier_set(self, value):
    self.out = value


@rule("torchvision.models.ShuffleNetV2.fc")
def ShuffleNetV2_fc(self):
    return self._fc


@rule("torchvision.models.ShuffleNetV2.fc=")
def ShuffleNetV2_fc_set(self, value):
    self._fc = value


class Numbered:
    """Layers of a model by torchvision's numbers, to be read and replaced."""

    def __init__(self, model, names):
        self.model, self.names = model, names

    def __getitem__(self, index):
        return getattr(self.model, self.names[index])

    def __setitem__(self, index, layer):
        setattr(self.model, self.names[index], layer)

    def __len__(self):
        return len(self.names)


@rule("torchvision.models.AlexNet.classifier")
def AlexNet_classifier(self):
    return Numbered(self, ["_drop1", "_fc6", "relu", "_drop2", "_fc7", "relu", "_fc8"])


@rule("torchvision.models.SqueezeNet.classifier")
def SqueezeNet_classifier(self):
    return Numbered(self, ["_drop", "_conv9", "relu", "_avg_pool"])


@rule("torchvision.models.AlexNet.classifier=")
def AlexNet_classifier_set(self, value):
    raise NotImplementedError("Paddle's AlexNet names its layers one by one; replace _fc6, _fc7 and _fc8 of the model")


@rule("torchvision.models.SqueezeNet.classifier=")
def SqueezeNet_classifier_set(self, value):
    raise NotImplementedError("Paddle's SqueezeNet names its layers one by one; replace _conv9 of the model")


@rule("torchvision.models.AlexNet.features", "torchvision.models.SqueezeNet.features")
def convolutional_features(self):
    raise NotImplementedError("Paddle's names its layers one by one, _conv1 and so on; call those")


@rule("torchvision.models.DenseNet.features")
def DenseNet_features(self):
    raise NotImplementedError("Paddle's DenseNet(..., num_classes=0, with_pool=False) gives the features; make that")
