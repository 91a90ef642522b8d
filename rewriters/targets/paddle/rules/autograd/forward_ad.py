"""torch.autograd.forward_ad: dual numbers.

Paddle differentiates backward only: a tangent is the derivative of a backward product, which is linear in its vector.
"""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import rule

UnpackedDualTensor = namedtuple("UnpackedDualTensor", ["primal", "tangent"])


levels = []  # of the dual numbers of each level: pairs of primal and tangent


@rule(torch.autograd.forward_ad.enter_dual_level)
def enter_dual_level():
    levels.append([])
    return len(levels) - 1


@rule(torch.autograd.forward_ad.exit_dual_level)
def exit_dual_level(*, level=None):
    levels.pop()


@rule(torch.autograd.forward_ad.dual_level)
class dual_level:
    """Within it dual numbers are made and unpacked."""

    def __enter__(self):
        self.level = enter_dual_level()
        return self.level

    def __exit__(self, *failure):
        exit_dual_level()


@rule(torch.autograd.forward_ad.make_dual)
def make_dual(tensor, tangent, *, level=None):
    if len(levels) != 1:
        raise RuntimeError("dual numbers are made within one dual level")
    primal = tensor.detach() if tensor.stop_gradient else paddle.assign(tensor)
    primal.stop_gradient = False
    levels[-1].append((primal, tangent))
    return primal


@rule(torch.autograd.forward_ad.unpack_dual)
def unpack_dual(tensor, *, level=None):
    if not levels or tensor.stop_gradient:
        return UnpackedDualTensor(tensor, None)
    primals = [primal for primal, _ in levels[-1]]
    for primal, tangent in levels[-1]:
        if primal is tensor:
            return UnpackedDualTensor(tensor, tangent)
    with paddle.enable_grad():
        vector = paddle.zeros_like(tensor)
        vector.stop_gradient = False
        back = paddle.grad(tensor, primals, vector, retain_graph=True, create_graph=True, allow_unused=True)
    known = [(slope, tangent) for slope, (_, tangent) in zip(back, levels[-1], strict=True) if slope is not None]
    if not known:
        return UnpackedDualTensor(tensor, None)
    slopes, tangents = (list(column) for column in zip(*known, strict=True))
    (found,) = paddle.grad(slopes, [vector], tangents, retain_graph=True)
    return UnpackedDualTensor(tensor, found)
