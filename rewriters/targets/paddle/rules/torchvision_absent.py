"""torchvision's names that have no meaning beside Paddle, in groups; its settings."""

import paddle

from rewriters.rule import refuse, rule

refuse(
    "torchvision.datasets.*",
    "Paddle has no such data set; copy torchvision's class into the project, or write a paddle.io.Dataset over the "
    "files: __getitem__ gives an image and its label",
)
refuse(
    "torchvision.datasets.samplers.*",
    "torchvision.datasets.video_utils.*",
    "torchvision.datasets.hmdb51.VideoClips",
    "Paddle reads no videos; cut them into frames with ffmpeg or PyAV and give clips from a paddle.io.Dataset",
)
refuse(
    "torchvision.datasets.utils.*",
    "torchvision.datasets.caltech.download_and_extract_archive",
    "torchvision.datasets.caltech.extract_archive",
    "torchvision.datasets.celeba.check_integrity",
    "torchvision.datasets.celeba.download_file_from_google_drive",
    "torchvision.datasets.flowers102.download_url",
    "not about tensors, and Paddle has none; paddle.utils.download.get_path_from_url fetches and unpacks an archive",
)
refuse(
    "torchvision.transforms.v2.functional.*",
    "the part of a transform for one kind of input (boxes, masks, key points, videos), or for such inputs only; Paddle "
    "has plain tensors: call the function without the suffix on images, and compute the new coordinates by hand",
)
refuse(
    "torchvision.transforms.v2.*",
    "moves boxes, masks or key points along with the image by the class of the tensor, which Paddle has none of; "
    "transform image and coordinates together in the data set's __getitem__",
)
refuse(
    "torchvision.tv_tensors.*",
    "a tensor that knows what it holds, which Paddle has none of; use plain tensors and transform boxes and masks in "
    "the data set's __getitem__",
)
refuse(
    "torchvision.transforms.AutoAugment",
    "torchvision.transforms.AutoAugmentPolicy",
    "torchvision.transforms.v2.AutoAugment",
    "Paddle has no learned policies; RandAugment and TrivialAugmentWide, which do as well, are converted",
)
refuse(
    "torchvision.transforms.transforms.RandomTransforms",
    "the base of RandomApply, RandomOrder and RandomChoice; write a class with __call__",
)
refuse(
    "torchvision.ops.ps_roi_align.check_roi_boxes_shape",
    "torchvision.ops.ps_roi_align.convert_boxes_to_roi_format",
    "torchvision.ops.roi_align.lazy_compile",
    "torchvision.ops.roi_align.maybe_cast",
    "an inner step of the operators on regions; call roi_align, roi_pool, ps_roi_align or ps_roi_pool",
)
refuse(
    "torchvision.models.list_models",
    "lists torchvision's own models; paddle.vision.models.__all__ has the names of Paddle's",
)
refuse(
    "torchvision.transforms.v2.JPEG",
    "torchvision.transforms.v2.functional.jpeg",
    "Paddle has no such transform; save the image into an io.BytesIO with Pillow, quality=..., and open it again",
)


@rule("torchvision.models.get_model")
def get_model(name, **config):
    weights = config.pop("weights", None)
    return getattr(paddle.vision.models, name)(pretrained=weights is not None, **config)


@rule("torchvision.disable_beta_transforms_warning", "torchvision.set_video_backend", "torchvision.set_image_backend")
def nothing_to_set(backend=None):
    pass


@rule("torchvision.get_image_backend")
def get_image_backend():
    return "PIL"


@rule("torchvision.get_video_backend")
def get_video_backend():
    return "pyav"
