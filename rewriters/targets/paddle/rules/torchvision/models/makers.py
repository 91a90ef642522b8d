"""torchvision.models: those that Paddle has too, by name. Weights are Paddle's own, not torchvision's numbers."""

import paddle

from rewriters.rule import family, rule


@rule("torchvision.models.alexnet")
def alexnet(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.alexnet(pretrained=pretrained or weights is not None)
    return paddle.vision.models.alexnet(pretrained=pretrained or weights is not None, num_classes=num_classes)


@family("121 161 169 201")
@rule("torchvision.models.densenet121")
def densenet121(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.densenet121(pretrained=pretrained or weights is not None)
    return paddle.vision.models.densenet121(pretrained=pretrained or weights is not None, num_classes=num_classes)


@family("inception mobilenet", "3 2")
@rule("torchvision.models.inception_v3")
def inception_v3(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.inception_v3(pretrained=pretrained or weights is not None)
    return paddle.vision.models.inception_v3(pretrained=pretrained or weights is not None, num_classes=num_classes)


@family("large small")
@rule("torchvision.models.mobilenet_v3_large")
def mobilenet_v3_large(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.mobilenet_v3_large(pretrained=pretrained or weights is not None)
    return paddle.vision.models.mobilenet_v3_large(
        pretrained=pretrained or weights is not None, num_classes=num_classes
    )


@rule("torchvision.models.shufflenet_v2_x0_5")
def shufflenet_v2_x0_5(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.shufflenet_v2_x0_5(pretrained=pretrained or weights is not None)
    return paddle.vision.models.shufflenet_v2_x0_5(
        pretrained=pretrained or weights is not None, num_classes=num_classes
    )


@family("1 2")
@rule("torchvision.models.shufflenet_v2_x1_0")
def shufflenet_v2_x1_0(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.shufflenet_v2_x1_0(pretrained=pretrained or weights is not None)
    return paddle.vision.models.shufflenet_v2_x1_0(
        pretrained=pretrained or weights is not None, num_classes=num_classes
    )


@rule("torchvision.models.shufflenet_v2_x1_5")
def shufflenet_v2_x1_5(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.shufflenet_v2_x1_5(pretrained=pretrained or weights is not None)
    return paddle.vision.models.shufflenet_v2_x1_5(
        pretrained=pretrained or weights is not None, num_classes=num_classes
    )


@rule("torchvision.models.squeezenet1_0")
def squeezenet1_0(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.squeezenet1_0(pretrained=pretrained or weights is not None)
    return paddle.vision.models.squeezenet1_0(pretrained=pretrained or weights is not None, num_classes=num_classes)


@rule("torchvision.models.squeezenet1_1")
def squeezenet1_1(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.squeezenet1_1(pretrained=pretrained or weights is not None)
    return paddle.vision.models.squeezenet1_1(pretrained=pretrained or weights is not None, num_classes=num_classes)
