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


@family(
    "alexnet googlenet densenet121 densenet161 densenet169 densenet201 efficientnet_b0 efficientnet_b1 "
    "efficientnet_b2 efficientnet_b3 efficientnet_b4 efficientnet_b5 efficientnet_b6 efficientnet_b7 inception_v3 "
    "mobilenet_v2 mnasnet0_5 mnasnet0_75 mnasnet1_0 mnasnet1_3 mobilenet_v3_large mobilenet_v3_small regnet_x_16gf "
    "regnet_y_16gf regnet_x_1_6gf regnet_y_1_6gf regnet_x_32gf regnet_y_32gf regnet_x_3_2gf regnet_y_3_2gf "
    "regnet_x_400mf regnet_y_400mf regnet_x_800mf regnet_y_800mf regnet_x_8gf regnet_y_8gf regnet_y_128gf resnet101 "
    "resnet152 resnet18 resnet34 resnet50 resnext101_32x8d resnext50_32x4d shufflenet_v2_x0_5 shufflenet_v2_x1_0 "
    "shufflenet_v2_x1_5 shufflenet_v2_x2_0 squeezenet1_0 squeezenet1_1 vgg11 vgg13 vgg16 vgg19 vgg11_bn vgg13_bn "
    "vgg16_bn vgg19_bn wide_resnet101_2 wide_resnet50_2",
)
@rule("torchvision.models.alexnet")
def alexnet(pretrained=False, progress=True, *, weights=None, **kwargs):
    if weights is None and not pretrained:
        return flowvision.models.alexnet(**kwargs)
    return flowvision.models.alexnet(pretrained=True, progress=progress, **kwargs)
