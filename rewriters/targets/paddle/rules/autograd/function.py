"""torch.autograd.function: what functions with a derivative of their own are handed."""

import torch

from rewriters.rule import alias, rule

alias(torch.autograd.function.FunctionCtx, "paddle.autograd.PyLayerContext")


@rule("torch.autograd.function.FunctionCtx.mark_dirty")
def mark_dirty(self, *args):
    self.changed = args  # all else that lies in an argument's memory is copied before it is given back
