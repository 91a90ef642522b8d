"""torch.fx. Nothing traces."""

import torch

from rewriters.rule import rule


@rule(torch.fx.wrap)
def wrap(fn_or_name: str):
    pass


@rule(torch.fx.wrap)
def wrap(fn_or_name):
    return fn_or_name
