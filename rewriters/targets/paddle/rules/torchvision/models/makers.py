"""torchvision.models: those that Paddle has too, by name. Weights are Paddle's own, not torchvision's numbers."""

import paddle

from rewriters.rule import family, rule


@family("alexnet densenet121 densenet161 densenet169 densenet201 inception_v3 mobilenet_v2 squeezenet1_0 squeezenet1_1")
@rule("torchvision.models.alexnet")
def alexnet(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.alexnet(pretrained=pretrained or weights is not None)
    return paddle.vision.models.alexnet(pretrained=pretrained or weights is not None, num_classes=num_classes)


@family(
    "mobilenet_v3_large mobilenet_v3_small shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x2_0 shufflenet_v2_x1_5",
)
@rule("torchvision.models.mobilenet_v3_large")
def mobilenet_v3_large(pretrained=False, progress=True, *, weights=None, num_classes=1000):
    if num_classes == 1000:
        return paddle.vision.models.mobilenet_v3_large(pretrained=pretrained or weights is not None)
    return paddle.vision.models.mobilenet_v3_large(
        pretrained=pretrained or weights is not None, num_classes=num_classes
    )
