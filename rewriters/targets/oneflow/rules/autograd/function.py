"""torch.autograd.function: what functions with a derivative of their own are handed."""

from rewriters.rule import rule


@rule("torch.autograd.function.FunctionCtx.mark_dirty")
def mark_dirty(self, *args):
    raise NotImplementedError("OneFlow returns a tensor of its own, others keep the old gradient; return a new tensor")
