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
    torch.max,
    torch.Tensor.max,
    torch.min,
    torch.Tensor.min,
    "along an axis Paddle passes NaN by, torch gives it",
)
note(torch.searchsorted, torch.bucketize, "Paddle places -inf behind all others, torch before them")
note(torch.sign, torch.Tensor.sign, "of NaN Paddle gives NaN, torch 0")
note(
    torch.relu,
    torch.Tensor.relu,
    torch.nn.functional.relu,
    torch.nn.ReLU,
    "of NaN Paddle gives 0, torch NaN; where it is 0 an infinite gradient goes on as NaN, in torch as 0",
)
note(
    torch.nn.functional.relu6,
    torch.nn.ReLU6,
    torch.nn.functional.hardtanh,
    torch.nn.Hardtanh,
    torch.nn.functional.threshold,
    torch.nn.Threshold,
    torch.nn.functional.hardswish,
    torch.nn.Hardswish,
    torch.nn.functional.hardsigmoid,
    torch.nn.Hardsigmoid,
    "where it is flat an infinite gradient goes on as NaN, in torch as 0",
)
note(
    torch.nn.functional.max_pool1d,
    torch.nn.functional.max_pool2d,
    torch.nn.functional.max_pool3d,
    torch.nn.functional.adaptive_max_pool1d,
    torch.nn.functional.adaptive_max_pool2d,
    torch.nn.functional.adaptive_max_pool3d,
    torch.nn.MaxPool1d,
    torch.nn.MaxPool2d,
    torch.nn.MaxPool3d,
    torch.nn.AdaptiveMaxPool1d,
    torch.nn.AdaptiveMaxPool2d,
    torch.nn.AdaptiveMaxPool3d,
    "Paddle passes NaN by, torch gives it; of -inf alone Paddle's is its least number",
)
note(
    torch.scatter_reduce,
    torch.Tensor.scatter_reduce,
    torch.Tensor.scatter_reduce_,
    '"amax" and "amin" of Paddle\'s pass NaN by, torch gives it',
)
note(torch.nn.functional.logsigmoid, torch.nn.LogSigmoid, "of -inf Paddle gives NaN, torch -inf")
note(
    torch.hardshrink,
    torch.Tensor.hardshrink,
    torch.nn.functional.hardshrink,
    torch.nn.Hardshrink,
    "Paddle keeps what is as large as the threshold, torch gives 0",
)
note(
    torch.signbit,
    torch.Tensor.signbit,
    torch.copysign,
    torch.Tensor.copysign,
    "a zero may have lost its sign on the way here: -x, x * 2.0, relu, maximum and lerp give 0.0 for -0.0",
)
note(
    torch.Tensor.retain_grad,
    "Paddle keeps the gradient as it was before hooks changed it, torch as they left it",
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
