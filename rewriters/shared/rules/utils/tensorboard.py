"""torch.utils.tensorboard: tensorboardX has the same class."""

from rewriters.rule import same

same(
    "torch.utils.tensorboard.SummaryWriter",
    "torch.utils.tensorboard.SummaryWriter.add_audio",
    "torch.utils.tensorboard.SummaryWriter.add_custom_scalars",
    "torch.utils.tensorboard.SummaryWriter.add_custom_scalars_marginchart",
    "torch.utils.tensorboard.SummaryWriter.add_custom_scalars_multilinechart",
    "torch.utils.tensorboard.SummaryWriter.add_embedding",
    "torch.utils.tensorboard.SummaryWriter.add_figure",
    "torch.utils.tensorboard.SummaryWriter.add_histogram",
    "torch.utils.tensorboard.SummaryWriter.add_hparams",
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
