"""torchvision.models: those that flowvision has too. Its weights are its own."""

import flowvision

from rewriters.rule import alias, family, rule

alias("torchvision.models.AlexNet", "flowvision.models.AlexNet")


alias("torchvision.models.DenseNet", "flowvision.models.DenseNet")


alias("torchvision.models.GoogLeNet", "flowvision.models.GoogLeNet")


alias("torchvision.models.Inception3", "flowvision.models.Inception3")


alias("torchvision.models.MNASNet", "flowvision.models.MNASNet")


alias("torchvision.models.MobileNetV2", "flowvision.models.MobileNetV2")


alias("torchvision.models.ResNet", "flowvision.models.ResNet")


alias("torchvision.models.ShuffleNetV2", "flowvision.models.ShuffleNetV2")


alias("torchvision.models.SqueezeNet", "flowvision.models.SqueezeNet")


alias("torchvision.models.VGG", "flowvision.models.VGG")


@family("alexnet googlenet")
@rule("torchvision.models.alexnet")
def alexnet(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.alexnet(**kwargs)
    return flowvision.models.alexnet(pretrained=True, progress=progress, **kwargs)


@family("121 161 169 201")
@rule("torchvision.models.densenet121")
def densenet121(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.densenet121(**kwargs)
    return flowvision.models.densenet121(pretrained=True, progress=progress, **kwargs)


@family("0 1 2 3 4 5 6 7")
@rule("torchvision.models.efficientnet_b0")
def efficientnet_b0(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.efficientnet_b0(**kwargs)
    return flowvision.models.efficientnet_b0(pretrained=True, progress=progress, **kwargs)


@family("inception mobilenet", "3 2")
@rule("torchvision.models.inception_v3")
def inception_v3(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.inception_v3(**kwargs)
    return flowvision.models.inception_v3(pretrained=True, progress=progress, **kwargs)


@family("0 0 1 1", "5 75 0 3")
@rule("torchvision.models.mnasnet0_5")
def mnasnet0_5(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.mnasnet0_5(**kwargs)
    return flowvision.models.mnasnet0_5(pretrained=True, progress=progress, **kwargs)


@family("large small")
@rule("torchvision.models.mobilenet_v3_large")
def mobilenet_v3_large(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.mobilenet_v3_large(**kwargs)
    return flowvision.models.mobilenet_v3_large(pretrained=True, progress=progress, **kwargs)


@family("x y")
@rule("torchvision.models.regnet_x_16gf")
def regnet_x_16gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_16gf(**kwargs)
    return flowvision.models.regnet_x_16gf(pretrained=True, progress=progress, **kwargs)


@family("x y")
@rule("torchvision.models.regnet_x_1_6gf")
def regnet_x_1_6gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_1_6gf(**kwargs)
    return flowvision.models.regnet_x_1_6gf(pretrained=True, progress=progress, **kwargs)


@family("x y")
@rule("torchvision.models.regnet_x_32gf")
def regnet_x_32gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_32gf(**kwargs)
    return flowvision.models.regnet_x_32gf(pretrained=True, progress=progress, **kwargs)


@family("x y")
@rule("torchvision.models.regnet_x_3_2gf")
def regnet_x_3_2gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_3_2gf(**kwargs)
    return flowvision.models.regnet_x_3_2gf(pretrained=True, progress=progress, **kwargs)


@family("x y")
@rule("torchvision.models.regnet_x_400mf")
def regnet_x_400mf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_400mf(**kwargs)
    return flowvision.models.regnet_x_400mf(pretrained=True, progress=progress, **kwargs)


@family("x y")
@rule("torchvision.models.regnet_x_800mf")
def regnet_x_800mf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_800mf(**kwargs)
    return flowvision.models.regnet_x_800mf(pretrained=True, progress=progress, **kwargs)


@family("x y")
@rule("torchvision.models.regnet_x_8gf")
def regnet_x_8gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_8gf(**kwargs)
    return flowvision.models.regnet_x_8gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_y_128gf")
def regnet_y_128gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_y_128gf(**kwargs)
    return flowvision.models.regnet_y_128gf(pretrained=True, progress=progress, **kwargs)


@family("101 152 18 34 50")
@rule("torchvision.models.resnet101")
def resnet101(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.resnet101(**kwargs)
    return flowvision.models.resnet101(pretrained=True, progress=progress, **kwargs)


@family("101 50", "8d 4d")
@rule("torchvision.models.resnext101_32x8d")
def resnext101_32x8d(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.resnext101_32x8d(**kwargs)
    return flowvision.models.resnext101_32x8d(pretrained=True, progress=progress, **kwargs)


@family("0 1 1 2", "5 0 5 0")
@rule("torchvision.models.shufflenet_v2_x0_5")
def shufflenet_v2_x0_5(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.shufflenet_v2_x0_5(**kwargs)
    return flowvision.models.shufflenet_v2_x0_5(pretrained=True, progress=progress, **kwargs)


@family("0 1")
@rule("torchvision.models.squeezenet1_0")
def squeezenet1_0(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.squeezenet1_0(**kwargs)
    return flowvision.models.squeezenet1_0(pretrained=True, progress=progress, **kwargs)


@family("11 13 16 19")
@rule("torchvision.models.vgg11")
def vgg11(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg11(**kwargs)
    return flowvision.models.vgg11(pretrained=True, progress=progress, **kwargs)


@family("11 13 16 19")
@rule("torchvision.models.vgg11_bn")
def vgg11_bn(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg11_bn(**kwargs)
    return flowvision.models.vgg11_bn(pretrained=True, progress=progress, **kwargs)


@family("101 50")
@rule("torchvision.models.wide_resnet101_2")
def wide_resnet101_2(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.wide_resnet101_2(**kwargs)
    return flowvision.models.wide_resnet101_2(pretrained=True, progress=progress, **kwargs)
