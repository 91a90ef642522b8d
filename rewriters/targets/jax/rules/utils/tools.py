"""torch.utils: tools."""

import torch

from rewriters.rule import rule


@rule(torch.utils.set_module)
def set_module(obj, mod):
    obj.__module__ = mod
