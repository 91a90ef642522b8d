"""What torchvision's own source files call: copied into a project, they convert as the project's files do."""

import paddle

from rewriters.rule import rule


@rule("torchvision.utils._log_api_usage_once")
def _log_api_usage_once(obj):
    pass


@rule("torchvision._utils.sequence_to_str")
def sequence_to_str(seq, separate_last=""):
    words = [f"'{word}'" for word in seq]
    if len(words) < 2 or not separate_last:
        return ", ".join(words)
    return ", ".join(words[:-1]) + f"{'' if len(words) == 2 else ','} {separate_last}{words[-1]}"


@rule("torchvision._is_tracing")
def _is_tracing():
    return False


def prepared(image, resize_size, crop_size, interpolation, mean, std):
    """One image, PIL or a tensor of uint8, as a normalized tensor."""
    if isinstance(image, paddle.Tensor):
        image = image.astype("float32") / 255 if image.dtype == paddle.uint8 else image
    image = image if resize_size is None else paddle.vision.transforms.resize(image, resize_size, interpolation)
    image = image if crop_size is None else paddle.vision.transforms.center_crop(image, crop_size)
    image = image if isinstance(image, paddle.Tensor) else paddle.vision.transforms.to_tensor(image)
    return paddle.vision.transforms.normalize(image, mean, std)


@rule("torchvision.models.alexnet.ImageClassification", "torchvision.transforms._presets.ImageClassification")
class ImageClassification:
    """What prepares an image for a classifier trained on ImageNet."""

    def __init__(
        self,
        *,
        crop_size,
        resize_size=256,
        mean=(0.485, 0.456, 0.406),
        std=(0.229, 0.224, 0.225),
        interpolation="bilinear",
        antialias=True,
    ):
        self.crop_size, self.resize_size = crop_size, resize_size
        self.mean, self.std, self.interpolation = list(mean), list(std), interpolation

    def __call__(self, img):
        return prepared(img, self.resize_size, self.crop_size, self.interpolation, self.mean, self.std)


@rule(
    "torchvision.models.segmentation.deeplabv3.SemanticSegmentation",
    "torchvision.transforms._presets.SemanticSegmentation",
)
class SemanticSegmentation:
    """What prepares an image for segmentation."""

    def __init__(
        self,
        *,
        resize_size,
        mean=(0.485, 0.456, 0.406),
        std=(0.229, 0.224, 0.225),
        interpolation="bilinear",
        antialias=True,
    ):
        self.resize_size, self.interpolation = resize_size, interpolation
        self.mean, self.std = list(mean), list(std)

    def __call__(self, img):
        return prepared(img, self.resize_size, None, self.interpolation, self.mean, self.std)


@rule("torchvision.models.detection.faster_rcnn.ObjectDetection", "torchvision.transforms._presets.ObjectDetection")
class ObjectDetection:
    """What prepares an image for detection: the model scales it itself."""

    def __call__(self, img):
        if isinstance(img, paddle.Tensor):
            return img.astype("float32") / 255 if img.dtype == paddle.uint8 else img
        return paddle.vision.transforms.to_tensor(img)


@rule("torchvision.models.video.mvit.VideoClassification", "torchvision.transforms._presets.VideoClassification")
class VideoClassification:
    """What prepares a clip, frames first, for a classifier of videos: channels first."""

    def __init__(
        self,
        *,
        crop_size,
        resize_size,
        mean=(0.43216, 0.394666, 0.37645),
        std=(0.22803, 0.22145, 0.216989),
        interpolation="bilinear",
    ):
        self.crop_size = list(crop_size)
        self.resize_size = resize_size[0] if len(resize_size) == 1 else list(resize_size)
        self.mean, self.std, self.interpolation = list(mean), list(std), interpolation

    def __call__(self, vid):
        clips = vid if vid.ndim == 5 else vid.unsqueeze(0)
        clips = paddle.stack(
            [
                paddle.stack(
                    [
                        prepared(frame, self.resize_size, self.crop_size, self.interpolation, self.mean, self.std)
                        for frame in clip
                    ],
                    axis=1,
                )
                for clip in clips
            ]
        )
        return clips if vid.ndim == 5 else clips[0]
