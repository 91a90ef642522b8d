"""Hooks of a module's gradients, by hooks of the tensor that it gives."""

import framework
import torch

from rewriters.rule import rule
from rewriters.targets.framework.rules.nn.modules.module import register_forward_hook


class NotAtHand(tuple):
    """Gradients of what goes into a module, which come later than those of what it gives."""

    def refuse(self, *args):
        raise NotImplementedError(
            "a hook sees gradients of what a module gives; register one on the tensor that goes in"
        )

    __getitem__ = __iter__ = __len__ = refuse


def watching(called):
    """A forward hook that has the gradient of what a module gives shown when it is computed."""

    def watch(module, inputs, output):
        if not isinstance(output, framework.Tensor):
            raise NotImplementedError("a hook of gradients is shown that of one tensor; register hooks on the results")
        if output.requires_grad:
            output.register_hook(lambda gradient: called(module, gradient))

    return watch


@rule(torch.nn.Module.register_full_backward_hook)
def register_full_backward_hook(self, hook, prepend=False):
    def called(module, gradient):
        if hook(module, NotAtHand(), (gradient,)) is not None:
            raise NotImplementedError("a hook gives gradients of what goes in: change those of what the module gives")

    return register_forward_hook(self, watching(called), prepend=prepend)


@rule(torch.nn.Module.register_full_backward_pre_hook)
def register_full_backward_pre_hook(self, hook, prepend=False):
    def called(module, gradient):
        found = hook(module, (gradient,))
        return found[0] if isinstance(found, tuple) else found

    return register_forward_hook(self, watching(called), prepend=prepend)
