"""torchvision.models: ResNets and VGGs. Weights are Paddle's own, not torchvision's numbers."""

import paddle

from rewriters.rule import family, rule


@family("18 34 50 101 152")
@rule("torchvision.models.resnet18")
def resnet18(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.resnet18(pretrained=pretrained or weights is not None)
    return paddle.vision.models.resnet18(pretrained=pretrained or weights is not None, num_classes=num_classes)


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


@family("50 101")
@rule("torchvision.models.wide_resnet50_2")
def wide_resnet50_2(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.wide_resnet50_2(pretrained=pretrained or weights is not None)
    return paddle.vision.models.wide_resnet50_2(pretrained=pretrained or weights is not None, num_classes=num_classes)


@family("11 13 16 19")
@rule("torchvision.models.vgg11")
def vgg11(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg11(pretrained=pretrained or weights is not None)
    return paddle.vision.models.vgg11(pretrained=pretrained or weights is not None, num_classes=num_classes)


@family("11 13 16 19")
@rule("torchvision.models.vgg11_bn")
def vgg11_bn(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg11(pretrained=pretrained or weights is not None, batch_norm=True)
    return paddle.vision.models.vgg11(
        pretrained=pretrained or weights is not None, batch_norm=True, num_classes=num_classes
    )
