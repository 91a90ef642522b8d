"""What OneFlow makes of NaN, of equal elements and of nothing: nothing that a rule could mend at each use."""

import torch

from rewriters.rule import note

note(
    torch.isnan,
    torch.Tensor.isnan,
    torch.isfinite,
    torch.Tensor.isfinite,
    torch.nan_to_num,
    torch.Tensor.nan_to_num,
    "NaN does not come through OneFlow's topk, median, adaptive max pools, and in softmax only in its own place: ask "
    "before one of these",
)
note(
    torch.argmax,
    torch.Tensor.argmax,
    torch.argmin,
    torch.Tensor.argmin,
    torch.max,
    torch.Tensor.max,
    torch.min,
    torch.Tensor.min,
    "along an axis OneFlow passes NaN by in files that do not speak of it; of -inf alone it gives the least number; "
    "among equal extremes it shares the gradient, which torch gives to the one whose index it names",
)
note(
    torch.nn.functional.grid_sample,
    "with mode='nearest' a place halfway between two pixels takes the farther one from 0, in torch the even one",
)
note(
    torch.topk,
    torch.Tensor.topk,
    torch.kthvalue,
    torch.Tensor.kthvalue,
    "of equal elements the indices are OneFlow's choice, which may be another than torch's",
)
note(
    torch.mean,
    torch.Tensor.mean,
    torch.nn.functional.mse_loss,
    torch.nn.functional.l1_loss,
    torch.nn.MSELoss,
    torch.nn.L1Loss,
    "of no elements at all OneFlow's mean is 0, torch's NaN",
)
note(
    torch.signbit,
    torch.Tensor.signbit,
    torch.copysign,
    torch.Tensor.copysign,
    "a zero may have lost its sign on the way here: relu, maximum, minimum, elu, selu and lerp give 0.0 for -0.0",
)
note(torch.Tensor.grad_fn, "of a leaf OneFlow's is None until something is computed of it, torch's always")
note(torch.Tensor.register_hook, "OneFlow calls a leaf's hook twice, with the effect on the gradient of one call")
