"""torchvision.models: ResNets and VGGs. Weights are Paddle's own, not torchvision's numbers."""

import paddle

from rewriters.rule import family, rule


@family(
    "resnet18 resnet34 resnet50 resnet101 resnet152 resnext50_32x4d resnext101_64x4d wide_resnet50_2 wide_resnet101_2 "
    "vgg11 vgg13 vgg16 vgg19",
)
@rule("torchvision.models.resnet18")
def resnet18(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.resnet18(pretrained=pretrained or weights is not None)
    return paddle.vision.models.resnet18(pretrained=pretrained or weights is not None, num_classes=num_classes)


@family("11 13 16 19")
@rule("torchvision.models.vgg11_bn")
def vgg11_bn(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.vgg11(pretrained=pretrained or weights is not None, batch_norm=True)
    return paddle.vision.models.vgg11(
        pretrained=pretrained or weights is not None, batch_norm=True, num_classes=num_classes
    )
