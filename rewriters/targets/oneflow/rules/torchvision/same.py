"""torchvision.transforms, datasets and utils: flowvision has them under the same names."""

import numpy
import oneflow

from rewriters.rule import rule, same

same(
    "torchvision.datasets.CIFAR10", "torchvision.datasets.CIFAR100", "torchvision.datasets.CLEVRClassification",
    "torchvision.datasets.Caltech101", "torchvision.datasets.Caltech256", "torchvision.datasets.CelebA",
    "torchvision.datasets.Cityscapes", "torchvision.datasets.CocoCaptions", "torchvision.datasets.CocoDetection",
    "torchvision.datasets.Country211", "torchvision.datasets.DTD", "torchvision.datasets.DatasetFolder",
    "torchvision.datasets.EuroSAT", "torchvision.datasets.FER2013", "torchvision.datasets.FGVCAircraft",
    "torchvision.datasets.FakeData", "torchvision.datasets.FashionMNIST", "torchvision.datasets.Flickr30k",
    "torchvision.datasets.Flickr8k", "torchvision.datasets.Flowers102", "torchvision.datasets.Food101",
    "torchvision.datasets.GTSRB", "torchvision.datasets.INaturalist", "torchvision.datasets.ImageFolder",
    "torchvision.datasets.ImageNet", "torchvision.datasets.Kitti", "torchvision.datasets.LFWPairs",
    "torchvision.datasets.LFWPeople", "torchvision.datasets.LSUN", "torchvision.datasets.LSUNClass",
    "torchvision.datasets.MNIST", "torchvision.datasets.Omniglot", "torchvision.datasets.OxfordIIITPet",
    "torchvision.datasets.PCAM", "torchvision.datasets.PhotoTour", "torchvision.datasets.Places365",
    "torchvision.datasets.RenderedSST2", "torchvision.datasets.SBDataset", "torchvision.datasets.SBU",
    "torchvision.datasets.SEMEION", "torchvision.datasets.STL10", "torchvision.datasets.SUN397",
    "torchvision.datasets.SVHN", "torchvision.datasets.StanfordCars", "torchvision.datasets.USPS",
    "torchvision.datasets.VOCDetection", "torchvision.datasets.VOCSegmentation",
    "torchvision.datasets.VisionDataset", "torchvision.datasets.WIDERFace", "torchvision.transforms.CenterCrop",
    "torchvision.transforms.ColorJitter", "torchvision.transforms.Compose",
    "torchvision.transforms.ConvertImageDtype", "torchvision.transforms.FiveCrop",
    "torchvision.transforms.GaussianBlur", "torchvision.transforms.Grayscale",
    "torchvision.transforms.InterpolationMode", "torchvision.transforms.Lambda",
    "torchvision.transforms.InterpolationMode.NEAREST", "torchvision.transforms.InterpolationMode.BILINEAR",
    "torchvision.transforms.InterpolationMode.BICUBIC", "torchvision.transforms.InterpolationMode.BOX",
    "torchvision.transforms.InterpolationMode.HAMMING", "torchvision.transforms.InterpolationMode.LANCZOS",
    "torchvision.transforms.Normalize", "torchvision.transforms.PILToTensor", "torchvision.transforms.Pad",
    "torchvision.transforms.RandomAffine", "torchvision.transforms.RandomApply",
    "torchvision.transforms.RandomChoice", "torchvision.transforms.RandomCrop",
    "torchvision.transforms.RandomGrayscale", "torchvision.transforms.RandomHorizontalFlip",
    "torchvision.transforms.RandomOrder", "torchvision.transforms.RandomResizedCrop",
    "torchvision.transforms.RandomRotation", "torchvision.transforms.RandomVerticalFlip",
    "torchvision.transforms.Resize", "torchvision.transforms.TenCrop", "torchvision.transforms.ToPILImage",
    "torchvision.transforms.ToTensor", "torchvision.transforms.functional.adjust_brightness",
    "torchvision.transforms.functional.adjust_contrast", "torchvision.transforms.functional.adjust_hue",
    "torchvision.transforms.functional.adjust_saturation", "torchvision.transforms.functional.affine",
    "torchvision.transforms.functional.center_crop", "torchvision.transforms.functional.convert_image_dtype",
    "torchvision.transforms.functional.crop", "torchvision.transforms.functional.five_crop",
    "torchvision.transforms.functional.gaussian_blur", "torchvision.transforms.functional.get_dimensions",
    "torchvision.transforms.functional.hflip", "torchvision.transforms.functional.normalize",
    "torchvision.transforms.functional.pad", "torchvision.transforms.functional.pil_to_tensor",
    "torchvision.transforms.functional.resize", "torchvision.transforms.functional.resized_crop",
    "torchvision.transforms.functional.rgb_to_grayscale", "torchvision.transforms.functional.rotate",
    "torchvision.transforms.functional.ten_crop", "torchvision.transforms.functional.to_pil_image",
    "torchvision.transforms.functional.to_tensor", "torchvision.transforms.functional.vflip",
    "torchvision.utils.draw_bounding_boxes", "torchvision.utils.make_grid", "torchvision.utils.save_image",
)  # fmt: skip


@rule("torchvision.ops.nms")
def nms(boxes, scores, iou_threshold):
    """Places of the boxes that stay, the best first: OneFlow's own has no kernel for a CPU."""
    if boxes.is_cuda:
        return oneflow.nms(boxes, scores, iou_threshold)
    corners, left = boxes.detach().numpy(), numpy.argsort(-scores.detach().numpy(), kind="stable")
    areas = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    kept = []
    while left.size:
        best, left = left[0], left[1:]
        kept.append(int(best))
        low = numpy.maximum(corners[best, :2], corners[left, :2])
        high = numpy.minimum(corners[best, 2:], corners[left, 2:])
        shared = numpy.clip(high - low, 0, None).prod(axis=1)
        left = left[shared / (areas[best] + areas[left] - shared) <= iou_threshold]
    return oneflow.tensor(kept, dtype=oneflow.int64)
