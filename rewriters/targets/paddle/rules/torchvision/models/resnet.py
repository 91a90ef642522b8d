"""torchvision.models: ResNets and VGGs. Weights are Paddle's own, not torchvision's numbers."""

import paddle

from rewriters.rule import rule


@rule("torchvision.models.resnet18")
def resnet18(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.resnet18(pretrained=pretrained or weights is not None)
    return paddle.vision.models.resnet18(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.resnet34")
def resnet34(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.resnet34(pretrained=pretrained or weights is not None)
    return paddle.vision.models.resnet34(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.resnet50")
def resnet50(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.resnet50(pretrained=pretrained or weights is not None)
    return paddle.vision.models.resnet50(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.resnet101")
def resnet101(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.resnet101(pretrained=pretrained or weights is not None)
    return paddle.vision.models.resnet101(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.resnet152")
def resnet152(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.resnet152(pretrained=pretrained or weights is not None)
    return paddle.vision.models.resnet152(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.resnext50_32x4d")
def resnext50_32x4d(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.resnext50_32x4d(pretrained=pretrained or weights is not None)
    return paddle.vision.models.resnext50_32x4d(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.resnext101_64x4d")
def resnext101_64x4d(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.resnext101_64x4d(pretrained=pretrained or weights is not None)
    return paddle.vision.models.resnext101_64x4d(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.wide_resnet50_2")
def wide_resnet50_2(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.wide_resnet50_2(pretrained=pretrained or weights is not None)
    return paddle.vision.models.wide_resnet50_2(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.wide_resnet101_2")
def wide_resnet101_2(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.wide_resnet101_2(pretrained=pretrained or weights is not None)
    return paddle.vision.models.wide_resnet101_2(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.vgg11")
def vgg11(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg11(pretrained=pretrained or weights is not None)
    return paddle.vision.models.vgg11(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.vgg11_bn")
def vgg11_bn(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg11(pretrained=pretrained or weights is not None, batch_norm=True)
    return paddle.vision.models.vgg11(
        pretrained=pretrained or weights is not None, batch_norm=True, num_classes=num_classes
    )


@rule("torchvision.models.vgg13")
def vgg13(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg13(pretrained=pretrained or weights is not None)
    return paddle.vision.models.vgg13(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.vgg13_bn")
def vgg13_bn(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg13(pretrained=pretrained or weights is not None, batch_norm=True)
    return paddle.vision.models.vgg13(
        pretrained=pretrained or weights is not None, batch_norm=True, num_classes=num_classes
    )


@rule("torchvision.models.vgg16")
def vgg16(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg16(pretrained=pretrained or weights is not None)
    return paddle.vision.models.vgg16(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.vgg16_bn")
def vgg16_bn(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg16(pretrained=pretrained or weights is not None, batch_norm=True)
    return paddle.vision.models.vgg16(
        pretrained=pretrained or weights is not None, batch_norm=True, num_classes=num_classes
    )


@rule("torchvision.models.vgg19")
def vgg19(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg19(pretrained=pretrained or weights is not None)
    return paddle.vision.models.vgg19(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.vgg19_bn")
def vgg19_bn(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg19(pretrained=pretrained or weights is not None, batch_norm=True)
    return paddle.vision.models.vgg19(
        pretrained=pretrained or weights is not None, batch_norm=True, num_classes=num_classes
    )
