"""torch.hub: the folder that packages keep files of their own in."""

import os

import torch

from rewriters.rule import rule


@rule(torch.hub._get_torch_home)
def _get_torch_home():
    cache = os.path.join(os.getenv("XDG_CACHE_HOME", "~/.cache"), "torch")
    return os.path.expanduser(os.getenv("TORCH_HOME", cache))
