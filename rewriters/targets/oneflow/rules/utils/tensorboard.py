"""torch.utils.tensorboard: tensorboardX has the same class, which takes numbers and arrays, and OneFlow's tensors not.

passes/ names the rules with a colon, where a tensor is given.
"""

from rewriters.rule import family, rule, same

same(
    "torch.utils.tensorboard.SummaryWriter",
    "torch.utils.tensorboard.SummaryWriter.add_audio",
    "torch.utils.tensorboard.SummaryWriter.add_custom_scalars",
    "torch.utils.tensorboard.SummaryWriter.add_custom_scalars_marginchart",
    "torch.utils.tensorboard.SummaryWriter.add_custom_scalars_multilinechart",
    "torch.utils.tensorboard.SummaryWriter.add_embedding",
    "torch.utils.tensorboard.SummaryWriter.add_figure",
    "torch.utils.tensorboard.SummaryWriter.add_hparams",
    "torch.utils.tensorboard.SummaryWriter.add_histogram",
    "torch.utils.tensorboard.SummaryWriter.add_image",
    "torch.utils.tensorboard.SummaryWriter.add_image_with_boxes",
    "torch.utils.tensorboard.SummaryWriter.add_images",
    "torch.utils.tensorboard.SummaryWriter.add_mesh",
    "torch.utils.tensorboard.SummaryWriter.add_pr_curve",
    "torch.utils.tensorboard.SummaryWriter.add_scalar",
    "torch.utils.tensorboard.SummaryWriter.add_scalars",
    "torch.utils.tensorboard.SummaryWriter.add_text",
    "torch.utils.tensorboard.SummaryWriter.add_video",
    "torch.utils.tensorboard.SummaryWriter.close",
    "torch.utils.tensorboard.SummaryWriter.flush",
    "torch.utils.tensorboard.SummaryWriter.get_logdir",
)


@rule("torch.utils.tensorboard.SummaryWriter.add_scalar:tensor")
def add_scalar(self, tag, scalar_value, *rest, **options):
    return self.add_scalar(tag, scalar_value.item(), *rest, **options)


@rule("torch.utils.tensorboard.SummaryWriter.add_histogram:tensor")
def add_histogram(self, tag, values, *rest, **options):
    return self.add_histogram(tag, values.detach().cpu().numpy(), *rest, **options)


@family("image images")
@rule("torch.utils.tensorboard.SummaryWriter.add_image:tensor")
def add_image(self, tag, img_tensor, *rest, **options):
    return self.add_image(tag, img_tensor.detach().cpu().numpy(), *rest, **options)
