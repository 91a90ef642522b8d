"""torch.nn.utils: weight norm."""

import paddle
import torch

from rewriters.rule import becomes, note, rule

becomes(torch.nn.utils.remove_weight_norm, paddle.nn.utils.remove_weight_norm)


def axis_in_paddle(module, dim):
    """A Linear's weight is transposed."""
    return 1 - dim if isinstance(module, paddle.nn.Linear) and dim is not None else dim


@rule(torch.nn.utils.weight_norm)
def weight_norm(module, name="weight", dim=0):
    return paddle.nn.utils.weight_norm(module, name=name, dim=axis_in_paddle(module, dim))


# Chosen by passes.py for a convolution, whose weight is laid out as torch's.
@rule("torch.nn.utils.weight_norm:convolution")
def weight_norm_of_convolution(module, name="weight", dim=0):
    return paddle.nn.utils.weight_norm(module, name=name, dim=dim)


note(
    torch.nn.utils.weight_norm,
    "Paddle's weight_g has one axis, torch's as many as the weight: what reads its shape, or copies into it, differs",
)
