"""torchvision's names that have no meaning beside Paddle, in groups; its settings."""

import paddle

from rewriters.rule import family, rule


@rule("torchvision.models.get_model")
def get_model(name, **config):
    weights = config.pop("weights", None)
    return getattr(paddle.vision.models, name)(pretrained=weights is not None, **config)


@rule("torchvision.disable_beta_transforms_warning", "torchvision.set_video_backend", "torchvision.set_image_backend")
def nothing_to_set(backend=None):
    pass


@family("image video", "PIL pyav")
@rule("torchvision.get_image_backend")
def get_image_backend():
    return "PIL"
