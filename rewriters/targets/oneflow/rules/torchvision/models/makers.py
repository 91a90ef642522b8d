"""torchvision.models: those that flowvision has too. Its weights are its own."""

import flowvision

from rewriters.rule import alias, rule

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


@rule("torchvision.models.alexnet")
def alexnet(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.alexnet(**kwargs)
    return flowvision.models.alexnet(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.densenet121")
def densenet121(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.densenet121(**kwargs)
    return flowvision.models.densenet121(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.densenet161")
def densenet161(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.densenet161(**kwargs)
    return flowvision.models.densenet161(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.densenet169")
def densenet169(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.densenet169(**kwargs)
    return flowvision.models.densenet169(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.densenet201")
def densenet201(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.densenet201(**kwargs)
    return flowvision.models.densenet201(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.efficientnet_b0")
def efficientnet_b0(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.efficientnet_b0(**kwargs)
    return flowvision.models.efficientnet_b0(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.efficientnet_b1")
def efficientnet_b1(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.efficientnet_b1(**kwargs)
    return flowvision.models.efficientnet_b1(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.efficientnet_b2")
def efficientnet_b2(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.efficientnet_b2(**kwargs)
    return flowvision.models.efficientnet_b2(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.efficientnet_b3")
def efficientnet_b3(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.efficientnet_b3(**kwargs)
    return flowvision.models.efficientnet_b3(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.efficientnet_b4")
def efficientnet_b4(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.efficientnet_b4(**kwargs)
    return flowvision.models.efficientnet_b4(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.efficientnet_b5")
def efficientnet_b5(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.efficientnet_b5(**kwargs)
    return flowvision.models.efficientnet_b5(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.efficientnet_b6")
def efficientnet_b6(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.efficientnet_b6(**kwargs)
    return flowvision.models.efficientnet_b6(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.efficientnet_b7")
def efficientnet_b7(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.efficientnet_b7(**kwargs)
    return flowvision.models.efficientnet_b7(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.googlenet")
def googlenet(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.googlenet(**kwargs)
    return flowvision.models.googlenet(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.inception_v3")
def inception_v3(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.inception_v3(**kwargs)
    return flowvision.models.inception_v3(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.mnasnet0_5")
def mnasnet0_5(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.mnasnet0_5(**kwargs)
    return flowvision.models.mnasnet0_5(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.mnasnet0_75")
def mnasnet0_75(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.mnasnet0_75(**kwargs)
    return flowvision.models.mnasnet0_75(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.mnasnet1_0")
def mnasnet1_0(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.mnasnet1_0(**kwargs)
    return flowvision.models.mnasnet1_0(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.mnasnet1_3")
def mnasnet1_3(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.mnasnet1_3(**kwargs)
    return flowvision.models.mnasnet1_3(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.mobilenet_v2")
def mobilenet_v2(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.mobilenet_v2(**kwargs)
    return flowvision.models.mobilenet_v2(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.mobilenet_v3_large")
def mobilenet_v3_large(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.mobilenet_v3_large(**kwargs)
    return flowvision.models.mobilenet_v3_large(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.mobilenet_v3_small")
def mobilenet_v3_small(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.mobilenet_v3_small(**kwargs)
    return flowvision.models.mobilenet_v3_small(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_x_16gf")
def regnet_x_16gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_16gf(**kwargs)
    return flowvision.models.regnet_x_16gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_x_1_6gf")
def regnet_x_1_6gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_1_6gf(**kwargs)
    return flowvision.models.regnet_x_1_6gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_x_32gf")
def regnet_x_32gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_32gf(**kwargs)
    return flowvision.models.regnet_x_32gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_x_3_2gf")
def regnet_x_3_2gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_3_2gf(**kwargs)
    return flowvision.models.regnet_x_3_2gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_x_400mf")
def regnet_x_400mf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_400mf(**kwargs)
    return flowvision.models.regnet_x_400mf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_x_800mf")
def regnet_x_800mf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_x_800mf(**kwargs)
    return flowvision.models.regnet_x_800mf(pretrained=True, progress=progress, **kwargs)


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


@rule("torchvision.models.regnet_y_16gf")
def regnet_y_16gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_y_16gf(**kwargs)
    return flowvision.models.regnet_y_16gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_y_1_6gf")
def regnet_y_1_6gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_y_1_6gf(**kwargs)
    return flowvision.models.regnet_y_1_6gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_y_32gf")
def regnet_y_32gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_y_32gf(**kwargs)
    return flowvision.models.regnet_y_32gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_y_3_2gf")
def regnet_y_3_2gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_y_3_2gf(**kwargs)
    return flowvision.models.regnet_y_3_2gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_y_400mf")
def regnet_y_400mf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_y_400mf(**kwargs)
    return flowvision.models.regnet_y_400mf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_y_800mf")
def regnet_y_800mf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_y_800mf(**kwargs)
    return flowvision.models.regnet_y_800mf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.regnet_y_8gf")
def regnet_y_8gf(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.regnet_y_8gf(**kwargs)
    return flowvision.models.regnet_y_8gf(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.resnet101")
def resnet101(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.resnet101(**kwargs)
    return flowvision.models.resnet101(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.resnet152")
def resnet152(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.resnet152(**kwargs)
    return flowvision.models.resnet152(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.resnet18")
def resnet18(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.resnet18(**kwargs)
    return flowvision.models.resnet18(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.resnet34")
def resnet34(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.resnet34(**kwargs)
    return flowvision.models.resnet34(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.resnet50")
def resnet50(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.resnet50(**kwargs)
    return flowvision.models.resnet50(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.resnext101_32x8d")
def resnext101_32x8d(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.resnext101_32x8d(**kwargs)
    return flowvision.models.resnext101_32x8d(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.resnext50_32x4d")
def resnext50_32x4d(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.resnext50_32x4d(**kwargs)
    return flowvision.models.resnext50_32x4d(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.shufflenet_v2_x0_5")
def shufflenet_v2_x0_5(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.shufflenet_v2_x0_5(**kwargs)
    return flowvision.models.shufflenet_v2_x0_5(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.shufflenet_v2_x1_0")
def shufflenet_v2_x1_0(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.shufflenet_v2_x1_0(**kwargs)
    return flowvision.models.shufflenet_v2_x1_0(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.shufflenet_v2_x1_5")
def shufflenet_v2_x1_5(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.shufflenet_v2_x1_5(**kwargs)
    return flowvision.models.shufflenet_v2_x1_5(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.shufflenet_v2_x2_0")
def shufflenet_v2_x2_0(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.shufflenet_v2_x2_0(**kwargs)
    return flowvision.models.shufflenet_v2_x2_0(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.squeezenet1_0")
def squeezenet1_0(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.squeezenet1_0(**kwargs)
    return flowvision.models.squeezenet1_0(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.squeezenet1_1")
def squeezenet1_1(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.squeezenet1_1(**kwargs)
    return flowvision.models.squeezenet1_1(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.vgg11")
def vgg11(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg11(**kwargs)
    return flowvision.models.vgg11(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.vgg11_bn")
def vgg11_bn(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg11_bn(**kwargs)
    return flowvision.models.vgg11_bn(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.vgg13")
def vgg13(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg13(**kwargs)
    return flowvision.models.vgg13(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.vgg13_bn")
def vgg13_bn(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg13_bn(**kwargs)
    return flowvision.models.vgg13_bn(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.vgg16")
def vgg16(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg16(**kwargs)
    return flowvision.models.vgg16(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.vgg16_bn")
def vgg16_bn(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg16_bn(**kwargs)
    return flowvision.models.vgg16_bn(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.vgg19")
def vgg19(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg19(**kwargs)
    return flowvision.models.vgg19(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.vgg19_bn")
def vgg19_bn(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.vgg19_bn(**kwargs)
    return flowvision.models.vgg19_bn(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.wide_resnet101_2")
def wide_resnet101_2(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.wide_resnet101_2(**kwargs)
    return flowvision.models.wide_resnet101_2(pretrained=True, progress=progress, **kwargs)


@rule("torchvision.models.wide_resnet50_2")
def wide_resnet50_2(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.wide_resnet50_2(**kwargs)
    return flowvision.models.wide_resnet50_2(pretrained=True, progress=progress, **kwargs)
