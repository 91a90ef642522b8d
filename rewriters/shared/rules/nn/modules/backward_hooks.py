"""Hooks of a module's gradients, by one of the tensor that it gives."""

from collections import OrderedDict

import framework
import torch

from rewriters.rule import rule
from rewriters.shared.rules.nn.modules.kept_hooks import Handle, shown
from rewriters.targets.framework.rules.nn.modules.module import register_forward_hook

KEPT = "hooks_of_gradients"


def gradient_hooks(module):
    """The module's own: those that change gradients, and those that see them."""
    if KEPT not in vars(module):
        setattr(module, KEPT, (OrderedDict(), OrderedDict()))
        register_forward_hook(module, watch)
    return vars(module)[KEPT]


def watch(module, inputs, output):
    """Has hooks be shown the gradient of what a module gives, when it is computed."""
    before, after = vars(module)[KEPT]
    if not (before or after):
        return
    if not isinstance(output, framework.Tensor):
        raise NotImplementedError("a hook of gradients is shown that of one tensor; register hooks on the results")
    if output.requires_grad:
        output.register_hook(lambda gradient: shown(module, before, after, (gradient,))[0])


@rule(torch.nn.Module.register_full_backward_hook)
def register_full_backward_hook(self, hook, prepend=False):
    return Handle(gradient_hooks(self)[1], hook, prepend)


@rule(torch.nn.Module.register_full_backward_pre_hook)
def register_full_backward_pre_hook(self, hook, prepend=False):
    return Handle(gradient_hooks(self)[0], hook, prepend)
