"""Whether gradients are recorded. OneFlow's own modes act in a ``with`` and as decorators, for as long as anything
holds them: those that act when they are made, or are kept in a name, are written out here.
"""

import functools
import inspect

import oneflow
import torch

from rewriters.rule import alias, becomes, family, rule

becomes(torch.set_grad_enabled, oneflow.set_grad_enabled)

alias(torch.no_grad, "oneflow.no_grad")
alias(torch.enable_grad, "oneflow.enable_grad")
alias(torch.inference_mode, "oneflow.inference_mode")
alias(torch.autograd.no_grad, "oneflow.no_grad")
alias(torch.autograd.enable_grad, "oneflow.enable_grad")


@rule(torch._C._set_grad_enabled)
def set_grad_mode(enabled):
    switch(enabled)


IN_FORCE = []  # ends when it is let go of


def switch(enabled):
    IN_FORCE.clear()
    IN_FORCE.append(oneflow.autograd.autograd_mode.AutoGradMode(enabled))


class Mode:
    """From ``with`` on and no longer; around each call of what it decorates, generators too."""

    def __init__(self, enabled):
        self.enabled, self.before = enabled, []

    def __enter__(self):
        self.before.append(oneflow.is_grad_enabled())
        switch(self.enabled)

    def __exit__(self, *error):
        switch(self.before.pop())

    def __call__(self, function):
        mode = Mode(self.enabled)

        @functools.wraps(function)
        def called(*args, **kwargs):
            with mode:
                return function(*args, **kwargs)

        @functools.wraps(function)
        def generated(*args, **kwargs):
            running = function(*args, **kwargs)
            while True:
                with mode:
                    try:
                        item = next(running)
                    except StopIteration as end:
                        return end.value
                yield item

        return generated if inspect.isgeneratorfunction(function) else called


@rule("torch.set_grad_enabled:kept")
class set_grad_enabled_at_once(Mode):
    """Acts when it is made; a ``with`` ends it."""

    def __init__(self, mode):
        super().__init__(mode)
        self.first = oneflow.is_grad_enabled()
        switch(mode)

    def __enter__(self):
        self.before.append(self.first)
        switch(self.enabled)

    def __call__(self, function):
        switch(self.first)
        return super().__call__(function)


@family("no enable", "False True")
@rule("torch.no_grad:kept")
def no_grad(orig_func=None):
    return Mode(False) if orig_func is None else Mode(False)(orig_func)


@rule("torch.inference_mode:kept")
def inference_mode(mode=True):
    return Mode(not mode) if isinstance(mode, bool) else Mode(False)(mode)
