"""Calls of loss modules that Paddle refuses: class probabilities, one sample without its batch axis, integer labels."""

import paddle

from rewriters.rule import FloatTensor, IntTensor, Rank, family, rule


@rule("torch.nn.CrossEntropyLoss:call")
def of_probabilities(self, input, target: FloatTensor):
    return cross_entropy_of_probabilities(self, input, target)


@family("CrossEntropyLoss MultiLabelMarginLoss", "class sample", "Rank[0] Rank[1]")
@rule("torch.nn.CrossEntropyLoss:call")
def of_one_class(self, input: Rank[1], target: Rank[0]):
    return self(input.unsqueeze(0), target.unsqueeze(0)).squeeze()


def cross_entropy_of_probabilities(criterion, logits, probabilities):
    """Torch's classes lie along axis 1, and a mean is over the samples whatever the classes' weights are."""
    axis = min(1, logits.ndim - 1)
    classes, smoothing = logits.shape[axis], criterion.label_smoothing
    found = paddle.nn.functional.log_softmax(logits, axis=axis)
    if criterion.weight is not None:
        found = found * criterion.weight.reshape([-1] + [1] * (logits.ndim - 1 - axis))
    loss = -(found * (probabilities * (1 - smoothing) + smoothing / classes)).sum(axis=axis)
    if criterion.reduction == "none":
        return loss
    return loss.mean() if criterion.reduction == "mean" else loss.sum()


@rule("torch.nn.MarginRankingLoss:call")
def of_integer_signs(self, input1, input2, target: IntTensor):
    return self(input1, input2, target.astype(input1.dtype))


@rule("torch.nn.MultiLabelSoftMarginLoss:call")
def of_integer_labels(self, input, target: IntTensor):
    return self(input, target.astype(input.dtype))


@rule("torch.nn.HingeEmbeddingLoss:call")
def of_one_number(self, input: Rank[0], target: Rank[0]):
    return self(input.unsqueeze(0), target.unsqueeze(0)).squeeze()
