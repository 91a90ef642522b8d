"""torch.utils.tensorboard: tensorboardX has the same class, which takes numbers and arrays, and OneFlow's tensors not.

passes/ names the rules with a colon, where a tensor is given.
"""

from rewriters.rule import family, rule


@rule("torch.utils.tensorboard.SummaryWriter.add_scalar:tensor")
def add_scalar(self, tag, scalar_value, *rest, **options):
    return self.add_scalar(tag, scalar_value.item(), *rest, **options)


@family("histogram image images", "values img_tensor img_tensor")
@rule("torch.utils.tensorboard.SummaryWriter.add_histogram:tensor")
def add_histogram(self, tag, values, *rest, **options):
    return self.add_histogram(tag, values.detach().cpu().numpy(), *rest, **options)
