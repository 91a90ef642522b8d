"""torch.nn.modules.loss: what a program's own losses derive from."""

import framework

from rewriters.rule import rule


def reduction_of(size_average, reduce):
    """What torch's two old arguments mean together."""
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


def reduction_told(size_average, reduce, reduction):
    """The reduction, where one of the old arguments may say it."""
    return reduction if size_average is None and reduce is None else reduction_of(size_average, reduce)


@rule("torch.nn.modules.loss._Loss:base")
class ProgramsLoss(framework.nn.Module):
    """What a program's loss derives from."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = reduction_told(size_average, reduce, reduction)


@rule("torch.nn.modules.loss._WeightedLoss:base")
class ProgramsWeightedLoss(framework.nn.Module):
    """What a program's loss with a weight for each class derives from."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = reduction_told(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
