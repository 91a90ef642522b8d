"""torchvision.models: the enumerations of pretrained weights, and what prepares images for them.

Paddle has one set of weights for each model, its own: whichever member is named, ``pretrained=True`` loads these.
"""

import paddle

from rewriters.rule import alias, rule

alias("torchvision.models.AlexNet_Weights", "str")
alias("torchvision.models.AlexNet_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.AlexNet_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.DenseNet121_Weights", "str")
alias("torchvision.models.DenseNet121_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.DenseNet121_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.DenseNet161_Weights", "str")
alias("torchvision.models.DenseNet161_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.DenseNet161_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.DenseNet169_Weights", "str")
alias("torchvision.models.DenseNet169_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.DenseNet169_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.DenseNet201_Weights", "str")
alias("torchvision.models.DenseNet201_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.DenseNet201_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.Inception_V3_Weights", "str")
alias("torchvision.models.Inception_V3_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.Inception_V3_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.MobileNet_V2_Weights", "str")
alias("torchvision.models.MobileNet_V2_Weights.DEFAULT", "'IMAGENET1K_V2'")
alias("torchvision.models.MobileNet_V2_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.MobileNet_V2_Weights.IMAGENET1K_V2", "'IMAGENET1K_V2'")
alias("torchvision.models.MobileNet_V3_Large_Weights", "str")
alias("torchvision.models.MobileNet_V3_Large_Weights.DEFAULT", "'IMAGENET1K_V2'")
alias("torchvision.models.MobileNet_V3_Large_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.MobileNet_V3_Large_Weights.IMAGENET1K_V2", "'IMAGENET1K_V2'")
alias("torchvision.models.MobileNet_V3_Small_Weights", "str")
alias("torchvision.models.MobileNet_V3_Small_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.MobileNet_V3_Small_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNeXt101_64X4D_Weights", "str")
alias("torchvision.models.ResNeXt101_64X4D_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNeXt101_64X4D_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNeXt50_32X4D_Weights", "str")
alias("torchvision.models.ResNeXt50_32X4D_Weights.DEFAULT", "'IMAGENET1K_V2'")
alias("torchvision.models.ResNeXt50_32X4D_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNeXt50_32X4D_Weights.IMAGENET1K_V2", "'IMAGENET1K_V2'")
alias("torchvision.models.ResNet101_Weights", "str")
alias("torchvision.models.ResNet101_Weights.DEFAULT", "'IMAGENET1K_V2'")
alias("torchvision.models.ResNet101_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNet101_Weights.IMAGENET1K_V2", "'IMAGENET1K_V2'")
alias("torchvision.models.ResNet152_Weights", "str")
alias("torchvision.models.ResNet152_Weights.DEFAULT", "'IMAGENET1K_V2'")
alias("torchvision.models.ResNet152_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNet152_Weights.IMAGENET1K_V2", "'IMAGENET1K_V2'")
alias("torchvision.models.ResNet18_Weights", "str")
alias("torchvision.models.ResNet18_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNet18_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNet34_Weights", "str")
alias("torchvision.models.ResNet34_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNet34_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNet50_Weights", "str")
alias("torchvision.models.ResNet50_Weights.DEFAULT", "'IMAGENET1K_V2'")
alias("torchvision.models.ResNet50_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ResNet50_Weights.IMAGENET1K_V2", "'IMAGENET1K_V2'")
alias("torchvision.models.ShuffleNet_V2_X0_5_Weights", "str")
alias("torchvision.models.ShuffleNet_V2_X0_5_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.ShuffleNet_V2_X0_5_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ShuffleNet_V2_X1_0_Weights", "str")
alias("torchvision.models.ShuffleNet_V2_X1_0_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.ShuffleNet_V2_X1_0_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ShuffleNet_V2_X1_5_Weights", "str")
alias("torchvision.models.ShuffleNet_V2_X1_5_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.ShuffleNet_V2_X1_5_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.ShuffleNet_V2_X2_0_Weights", "str")
alias("torchvision.models.ShuffleNet_V2_X2_0_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.ShuffleNet_V2_X2_0_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.SqueezeNet1_0_Weights", "str")
alias("torchvision.models.SqueezeNet1_0_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.SqueezeNet1_0_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.SqueezeNet1_1_Weights", "str")
alias("torchvision.models.SqueezeNet1_1_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.SqueezeNet1_1_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG11_BN_Weights", "str")
alias("torchvision.models.VGG11_BN_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG11_BN_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG11_Weights", "str")
alias("torchvision.models.VGG11_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG11_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG13_BN_Weights", "str")
alias("torchvision.models.VGG13_BN_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG13_BN_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG13_Weights", "str")
alias("torchvision.models.VGG13_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG13_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG16_BN_Weights", "str")
alias("torchvision.models.VGG16_BN_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG16_BN_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG16_Weights", "str")
alias("torchvision.models.VGG16_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG16_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG19_BN_Weights", "str")
alias("torchvision.models.VGG19_BN_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG19_BN_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG19_Weights", "str")
alias("torchvision.models.VGG19_Weights.DEFAULT", "'IMAGENET1K_V1'")
alias("torchvision.models.VGG19_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.Wide_ResNet101_2_Weights", "str")
alias("torchvision.models.Wide_ResNet101_2_Weights.DEFAULT", "'IMAGENET1K_V2'")
alias("torchvision.models.Wide_ResNet101_2_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.Wide_ResNet101_2_Weights.IMAGENET1K_V2", "'IMAGENET1K_V2'")
alias("torchvision.models.Wide_ResNet50_2_Weights", "str")
alias("torchvision.models.Wide_ResNet50_2_Weights.DEFAULT", "'IMAGENET1K_V2'")
alias("torchvision.models.Wide_ResNet50_2_Weights.IMAGENET1K_V1", "'IMAGENET1K_V1'")
alias("torchvision.models.Wide_ResNet50_2_Weights.IMAGENET1K_V2", "'IMAGENET1K_V2'")


@rule(
    "torchvision.models.AlexNet_Weights.DEFAULT.transforms",
    "torchvision.models.AlexNet_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.DenseNet121_Weights.DEFAULT.transforms",
    "torchvision.models.DenseNet121_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.DenseNet161_Weights.DEFAULT.transforms",
    "torchvision.models.DenseNet161_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.DenseNet169_Weights.DEFAULT.transforms",
    "torchvision.models.DenseNet169_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.DenseNet201_Weights.DEFAULT.transforms",
    "torchvision.models.DenseNet201_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.MobileNet_V2_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.MobileNet_V3_Large_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.MobileNet_V3_Small_Weights.DEFAULT.transforms",
    "torchvision.models.MobileNet_V3_Small_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ResNeXt50_32X4D_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ResNet101_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ResNet152_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ResNet18_Weights.DEFAULT.transforms",
    "torchvision.models.ResNet18_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ResNet34_Weights.DEFAULT.transforms",
    "torchvision.models.ResNet34_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ResNet50_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ShuffleNet_V2_X0_5_Weights.DEFAULT.transforms",
    "torchvision.models.ShuffleNet_V2_X0_5_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ShuffleNet_V2_X1_0_Weights.DEFAULT.transforms",
    "torchvision.models.ShuffleNet_V2_X1_0_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.SqueezeNet1_0_Weights.DEFAULT.transforms",
    "torchvision.models.SqueezeNet1_0_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.SqueezeNet1_1_Weights.DEFAULT.transforms",
    "torchvision.models.SqueezeNet1_1_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.VGG11_BN_Weights.DEFAULT.transforms",
    "torchvision.models.VGG11_BN_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.VGG11_Weights.DEFAULT.transforms",
    "torchvision.models.VGG11_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.VGG13_BN_Weights.DEFAULT.transforms",
    "torchvision.models.VGG13_BN_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.VGG13_Weights.DEFAULT.transforms",
    "torchvision.models.VGG13_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.VGG16_BN_Weights.DEFAULT.transforms",
    "torchvision.models.VGG16_BN_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.VGG16_Weights.DEFAULT.transforms",
    "torchvision.models.VGG16_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.VGG19_BN_Weights.DEFAULT.transforms",
    "torchvision.models.VGG19_BN_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.VGG19_Weights.DEFAULT.transforms",
    "torchvision.models.VGG19_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.Wide_ResNet101_2_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.Wide_ResNet50_2_Weights.IMAGENET1K_V1.transforms",
)
def prepared_256(antialias=True):
    return paddle.vision.transforms.Compose(
        [
            paddle.vision.transforms.Resize(256),
            paddle.vision.transforms.CenterCrop(224),
            paddle.vision.transforms.ToTensor(),
            paddle.vision.transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
        ]
    )


@rule(
    "torchvision.models.Inception_V3_Weights.DEFAULT.transforms",
    "torchvision.models.Inception_V3_Weights.IMAGENET1K_V1.transforms",
)
def prepared_342(antialias=True):
    return paddle.vision.transforms.Compose(
        [
            paddle.vision.transforms.Resize(342),
            paddle.vision.transforms.CenterCrop(299),
            paddle.vision.transforms.ToTensor(),
            paddle.vision.transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
        ]
    )


@rule(
    "torchvision.models.MobileNet_V2_Weights.DEFAULT.transforms",
    "torchvision.models.MobileNet_V2_Weights.IMAGENET1K_V2.transforms",
    "torchvision.models.MobileNet_V3_Large_Weights.DEFAULT.transforms",
    "torchvision.models.MobileNet_V3_Large_Weights.IMAGENET1K_V2.transforms",
    "torchvision.models.ResNeXt101_64X4D_Weights.DEFAULT.transforms",
    "torchvision.models.ResNeXt101_64X4D_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ResNeXt50_32X4D_Weights.DEFAULT.transforms",
    "torchvision.models.ResNeXt50_32X4D_Weights.IMAGENET1K_V2.transforms",
    "torchvision.models.ResNet101_Weights.DEFAULT.transforms",
    "torchvision.models.ResNet101_Weights.IMAGENET1K_V2.transforms",
    "torchvision.models.ResNet152_Weights.DEFAULT.transforms",
    "torchvision.models.ResNet152_Weights.IMAGENET1K_V2.transforms",
    "torchvision.models.ResNet50_Weights.DEFAULT.transforms",
    "torchvision.models.ResNet50_Weights.IMAGENET1K_V2.transforms",
    "torchvision.models.ShuffleNet_V2_X1_5_Weights.DEFAULT.transforms",
    "torchvision.models.ShuffleNet_V2_X1_5_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.ShuffleNet_V2_X2_0_Weights.DEFAULT.transforms",
    "torchvision.models.ShuffleNet_V2_X2_0_Weights.IMAGENET1K_V1.transforms",
    "torchvision.models.Wide_ResNet101_2_Weights.DEFAULT.transforms",
    "torchvision.models.Wide_ResNet101_2_Weights.IMAGENET1K_V2.transforms",
    "torchvision.models.Wide_ResNet50_2_Weights.DEFAULT.transforms",
    "torchvision.models.Wide_ResNet50_2_Weights.IMAGENET1K_V2.transforms",
)
def prepared_232(antialias=True):
    return paddle.vision.transforms.Compose(
        [
            paddle.vision.transforms.Resize(232),
            paddle.vision.transforms.CenterCrop(224),
            paddle.vision.transforms.ToTensor(),
            paddle.vision.transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
        ]
    )
