"""torch.utils.tensorboard becomes tensorboardX, which takes no tensors of OneFlow's."""

from __future__ import annotations


def test_tensors_are_written_as_numbers_and_arrays(check_converted) -> None:
    check_converted(
        "import torch\nfrom torch.utils.tensorboard import SummaryWriter\n\nwriter = SummaryWriter('runs')\n"
        "loss = torch.zeros(3).sum()\nwriter.add_scalar('loss', loss, 3)\nwriter.add_scalar('time', 2.5, 3)\n"
        "writer.add_histogram('loss', values=loss, global_step=3)\nwriter.close()\n",
        "import oneflow as torch\nfrom tensorboardX import SummaryWriter\n\nwriter = SummaryWriter('runs')\n"
        "loss = torch.zeros(3).sum()\nwriter.add_scalar('loss', loss.item(), 3)\nwriter.add_scalar('time', 2.5, 3)\n"
        "writer.add_histogram('loss', loss.detach().cpu().numpy(), global_step=3)\nwriter.close()\n",
        "oneflow",
    )
