"""torchvision.models that Paddle lacks. torchvision's own source of most of them converts and agrees with torch."""

from rewriters.rule import refuse

refuse(
    "torchvision.models.EfficientNet",
    "torchvision.models.EfficientNet_B0_Weights",
    "torchvision.models.EfficientNet_B1_Weights",
    "torchvision.models.EfficientNet_B2_Weights",
    "torchvision.models.EfficientNet_B3_Weights",
    "torchvision.models.EfficientNet_B4_Weights",
    "torchvision.models.EfficientNet_B5_Weights",
    "torchvision.models.EfficientNet_B6_Weights",
    "torchvision.models.EfficientNet_B7_Weights",
    "torchvision.models.EfficientNet_V2_L_Weights",
    "torchvision.models.EfficientNet_V2_M_Weights",
    "torchvision.models.EfficientNet_V2_S_Weights",
    "torchvision.models.efficientnet_b0",
    "torchvision.models.efficientnet_b1",
    "torchvision.models.efficientnet_b2",
    "torchvision.models.efficientnet_b3",
    "torchvision.models.efficientnet_b4",
    "torchvision.models.efficientnet_b5",
    "torchvision.models.efficientnet_b6",
    "torchvision.models.efficientnet_b7",
    "torchvision.models.efficientnet_v2_l",
    "torchvision.models.efficientnet_v2_m",
    "torchvision.models.efficientnet_v2_s",
    "torchvision.models.efficientnet.*",
    "Paddle has no such model; copy torchvision/models/efficientnet.py into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.MNASNet",
    "torchvision.models.MNASNet0_5_Weights",
    "torchvision.models.MNASNet0_75_Weights",
    "torchvision.models.MNASNet1_0_Weights",
    "torchvision.models.MNASNet1_3_Weights",
    "torchvision.models.mnasnet0_5",
    "torchvision.models.mnasnet0_75",
    "torchvision.models.mnasnet1_0",
    "torchvision.models.mnasnet1_3",
    "torchvision.models.mnasnet.*",
    "Paddle has no such model; copy torchvision/models/mnasnet.py into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.RegNet",
    "torchvision.models.RegNet_X_16GF_Weights",
    "torchvision.models.RegNet_X_1_6GF_Weights",
    "torchvision.models.RegNet_X_32GF_Weights",
    "torchvision.models.RegNet_X_3_2GF_Weights",
    "torchvision.models.RegNet_X_400MF_Weights",
    "torchvision.models.RegNet_X_800MF_Weights",
    "torchvision.models.RegNet_X_8GF_Weights",
    "torchvision.models.RegNet_Y_128GF_Weights",
    "torchvision.models.RegNet_Y_16GF_Weights",
    "torchvision.models.RegNet_Y_1_6GF_Weights",
    "torchvision.models.RegNet_Y_32GF_Weights",
    "torchvision.models.RegNet_Y_3_2GF_Weights",
    "torchvision.models.RegNet_Y_400MF_Weights",
    "torchvision.models.RegNet_Y_800MF_Weights",
    "torchvision.models.RegNet_Y_8GF_Weights",
    "torchvision.models.regnet_x_16gf",
    "torchvision.models.regnet_x_1_6gf",
    "torchvision.models.regnet_x_32gf",
    "torchvision.models.regnet_x_3_2gf",
    "torchvision.models.regnet_x_400mf",
    "torchvision.models.regnet_x_800mf",
    "torchvision.models.regnet_x_8gf",
    "torchvision.models.regnet_y_128gf",
    "torchvision.models.regnet_y_16gf",
    "torchvision.models.regnet_y_1_6gf",
    "torchvision.models.regnet_y_32gf",
    "torchvision.models.regnet_y_3_2gf",
    "torchvision.models.regnet_y_400mf",
    "torchvision.models.regnet_y_800mf",
    "torchvision.models.regnet_y_8gf",
    "torchvision.models.regnet.*",
    "Paddle has no such model; copy torchvision/models/regnet.py into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.MaxVit",
    "torchvision.models.MaxVit_T_Weights",
    "torchvision.models.maxvit_t",
    "torchvision.models.maxvit.*",
    "Paddle has no such model; copy torchvision/models/maxvit.py into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.ViT_B_16_Weights",
    "torchvision.models.ViT_B_32_Weights",
    "torchvision.models.ViT_H_14_Weights",
    "torchvision.models.ViT_L_16_Weights",
    "torchvision.models.ViT_L_32_Weights",
    "torchvision.models.VisionTransformer",
    "torchvision.models.vit_b_16",
    "torchvision.models.vit_b_32",
    "torchvision.models.vit_h_14",
    "torchvision.models.vit_l_16",
    "torchvision.models.vit_l_32",
    "torchvision.models.vision_transformer.*",
    "Paddle has no such model; copy torchvision/models/vision_transformer.py into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.ConvNeXt",
    "torchvision.models.ConvNeXt_Base_Weights",
    "torchvision.models.ConvNeXt_Large_Weights",
    "torchvision.models.ConvNeXt_Small_Weights",
    "torchvision.models.ConvNeXt_Tiny_Weights",
    "torchvision.models.convnext_base",
    "torchvision.models.convnext_large",
    "torchvision.models.convnext_small",
    "torchvision.models.convnext_tiny",
    "torchvision.models.convnext.*",
    "Paddle has no such model; copy torchvision/models/convnext.py into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.GoogLeNet",
    "torchvision.models.GoogLeNetOutputs",
    "torchvision.models.GoogLeNet_Weights",
    "torchvision.models.googlenet",
    "torchvision.models.googlenet.*",
    "Paddle's GoogLeNet is another network (no batch normalization, three results also in evaluation); copy "
    "torchvision/models/googlenet.py into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.ResNeXt101_32X8D_Weights",
    "torchvision.models.resnext101_32x8d",
    "Paddle has ResNeXt-101 of 32x4d and 64x4d only; copy torchvision/models/resnet.py into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.segmentation.*",
    "Paddle has no such model; copy torchvision/models/segmentation, resnet.py or mobilenetv3.py into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.video.*",
    "Paddle has no models of videos; copy torchvision/models/video into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
refuse(
    "torchvision.models.SwinTransformer",
    "torchvision.models.Swin_B_Weights",
    "torchvision.models.Swin_S_Weights",
    "torchvision.models.Swin_T_Weights",
    "torchvision.models.Swin_V2_B_Weights",
    "torchvision.models.Swin_V2_S_Weights",
    "torchvision.models.Swin_V2_T_Weights",
    "torchvision.models.swin_b",
    "torchvision.models.swin_s",
    "torchvision.models.swin_t",
    "torchvision.models.swin_v2_b",
    "torchvision.models.swin_v2_s",
    "torchvision.models.swin_v2_t",
    "torchvision.models.swin_transformer.*",
    "torchvision.models.video.swin_transformer.*",
    "Paddle has no such model; copy torchvision/models/swin_transformer.py into the project "
    "with _api.py, _meta.py and _utils.py, write `from torchvision.ops` for its `from ..ops` (transforms and utils "
    "likewise); in the converted file hand self.qkv.weight.T and self.proj.weight.T on: Paddle stores them so",
)
refuse(
    "torchvision.models.detection.*",
    "Paddle's own package has no detectors; PaddleDetection has the same kinds: take the model and its weights "
    "from there",
)
refuse(
    "torchvision.models.optical_flow.*",
    "Paddle's own package has no models of optical flow; copy torchvision/models/optical_flow into the project, "
    "migrate converts it, and give its InstanceNorm layers affine=True: Paddle's have no weight otherwise",
)
refuse(
    "torchvision.models.quantization.*",
    "models for torch's own quantized kernels; quantize the plain model with paddle.quantization",
)
refuse(
    "torchvision.models.feature_extraction.*",
    "made of torch.fx, which follows torch's own calls; register a forward_post_hook on the layers whose outputs "
    "are wanted",
)
refuse(
    "torchvision.models.alexnet.*",
    "torchvision.models.Weights",
    "torchvision.models.WeightsEnum",
    "torchvision.models.get_model_builder",
    "torchvision.models.get_model_weights",
    "torchvision.models.get_weight",
    "part of torchvision's register of models and weights, which Paddle has none of; call the model's function with "
    "pretrained=True, which loads Paddle's own weights",
)
refuse(
    "torchvision.models.inception.*",
    "torchvision.models.InceptionOutputs",
    "torchvision.models.mobilenetv2.*",
    "torchvision.models.mobilenetv3.*",
    "torchvision.models.shufflenetv2.*",
    "torchvision.models.squeezenet.*",
    "Paddle builds the same network of other blocks; copy torchvision's file of this name into the project "
    "with _api.py, _meta.py and _utils.py, and write `from torchvision.ops` for its `from ..ops` (transforms and "
    "utils likewise); migrate converts it, and `migrate weights` carries its checkpoint",
)
