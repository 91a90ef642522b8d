"""torch.utils.tensorboard: tensorboardX has the same class, and takes paddle.Tensor where torch's takes tensors."""

from rewriters.rule import same

same(
    "torch.utils.tensorboard.SummaryWriter.add_graph",
    "torch.utils.tensorboard.SummaryWriter.add_histogram_raw",
    "torch.utils.tensorboard.SummaryWriter.add_onnx_graph",
    "torch.utils.tensorboard.SummaryWriter.add_pr_curve_raw",
)
