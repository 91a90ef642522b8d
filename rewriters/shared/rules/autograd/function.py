"""torch.autograd: functions with a derivative of their own."""

import torch

from rewriters.rule import rule, same

same(
    "torch.autograd.function.FunctionCtx.save_for_backward",
    "torch.autograd.function.FunctionCtx.mark_non_differentiable",
    "torch.autograd.function.FunctionCtx.set_materialize_grads",
)


@rule("torch.autograd.function.FunctionCtx.save_for_forward")
def save_for_forward(self, *tensors):
    # for jvp() alone
    pass


@rule(torch.autograd.function.once_differentiable)
def once_differentiable(fn):
    return fn


@rule(torch.autograd.Function.apply)
def apply(self, *args):
    return self.apply(*args)
