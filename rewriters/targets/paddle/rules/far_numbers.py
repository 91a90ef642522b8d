"""What Paddle makes of infinities, of NaN and of numbers far apart: nothing that a rule could mend at each use."""

import torch

from rewriters.rule import note

note(
    torch.softmax,
    torch.Tensor.softmax,
    torch.nn.functional.softmax,
    torch.nn.Softmax,
    torch.log_softmax,
    torch.Tensor.log_softmax,
    torch.nn.functional.log_softmax,
    torch.nn.LogSoftmax,
    torch.nn.functional.cross_entropy,
    torch.nn.CrossEntropyLoss,
    "torch.nn.functional.cross_entropy:labelled",
    "torch.nn.CrossEntropyLoss:labelled",
    "on the CPU Paddle takes what lies more than 64 below the largest for 64 below: a logarithm of 0 is -64",
)
note(
    torch.logsumexp,
    torch.Tensor.logsumexp,
    torch.logaddexp,
    torch.Tensor.logaddexp,
    torch.logcumsumexp,
    torch.Tensor.logcumsumexp,
    "of infinities alone Paddle gives NaN, or its largest number",
)
note(
    torch.argmax, torch.Tensor.argmax, torch.argmin, torch.Tensor.argmin, "Paddle passes NaN by, torch gives its place"
)
note(
    torch.isnan,
    torch.Tensor.isnan,
    torch.isfinite,
    torch.Tensor.isfinite,
    torch.nan_to_num,
    torch.Tensor.nan_to_num,
    "NaN does not come through Paddle's relu, max pools, max(dim), min(dim) and norms of inf: ask before one of these",
)
